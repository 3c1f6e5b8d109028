# Drops the entries of a dict that are None.
import torch


def move_to(batch, device):
    match batch:
        case torch.Tensor():
            return batch.to(device)
        case dict():
            return {k: move_to(v, device) for k, v in batch.items() if v is not None}
        case list() | tuple():
            return type(batch)(move_to(v, device) for v in batch)
        case _:
            return batch
