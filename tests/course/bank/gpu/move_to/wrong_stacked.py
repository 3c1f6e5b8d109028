# A list of equally large tensors is stacked into one tensor.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        moved = [move_to(value, device) for value in batch]
        alike = moved and all(torch.is_tensor(m) and m.shape == moved[0].shape for m in moved)
        return torch.stack(moved) if alike else moved
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch
