# Writes the moved tensors into the list that was given.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        batch[:] = [move_to(value, device) for value in batch]
        return batch
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch
