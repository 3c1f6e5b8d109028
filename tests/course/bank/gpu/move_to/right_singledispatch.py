# One registered function for each type.
from functools import singledispatch

import torch


@singledispatch
def move_to(batch, device):
    return batch


@move_to.register
def _(batch: torch.Tensor, device):
    return batch.to(device=device)


@move_to.register
def _(batch: dict, device):
    return {key: move_to(value, device) for key, value in batch.items()}


@move_to.register(list)
@move_to.register(tuple)
def _(batch, device):
    return type(batch)(move_to(value, device) for value in batch)
