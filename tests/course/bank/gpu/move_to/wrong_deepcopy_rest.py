# What is not a tensor is copied instead of handed on.
import copy

import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return copy.deepcopy(batch)
