# Moves the tensors of a dict, but not those in lists within it.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        moved = batch.copy()
        for key, value in moved.items():
            if isinstance(value, (torch.Tensor, dict)):
                moved[key] = move_to(value, device)
        return moved
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch
