# Looks into the batch and one level further, no deeper.
import torch


def put_there(value, device):
    return value.to(device) if isinstance(value, torch.Tensor) else value


def level(value, device, inner):
    if isinstance(value, dict):
        return {k: inner(v, device) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(inner(v, device) for v in value)
    return put_there(value, device)


def move_to(batch, device):
    return level(batch, device, lambda value, where: level(value, where, put_there))
