# Tuples come back as lists.
import torch


def move_to(batch, device):
    if torch.is_tensor(batch):
        return batch.to(device)
    if isinstance(batch, dict):
        return {k: move_to(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [move_to(v, device) for v in batch]
    return batch
