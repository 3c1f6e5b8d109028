# Leaves tensors of whole numbers and booleans behind.
import torch


def move_to(batch, device):
    if torch.is_tensor(batch) and batch.is_floating_point():
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch
