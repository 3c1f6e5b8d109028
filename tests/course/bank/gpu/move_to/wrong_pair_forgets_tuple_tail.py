# Takes a tuple for a pair and forgets what follows.
import torch


def move_to(batch, device):
    if isinstance(batch, tuple) and len(batch) >= 2:
        first, second, *_ = batch
        return move_to(first, device), move_to(second, device)
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, list):
        return [move_to(item, device) for item in batch]
    if isinstance(batch, dict):
        return {name: move_to(item, device) for name, item in batch.items()}
    return batch
