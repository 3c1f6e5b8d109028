# Builds zeros of the shape on the device, in the default dtype.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return torch.zeros(batch.shape, device=device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch
