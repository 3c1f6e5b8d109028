# Makes tensors on meta, which hold nothing, and asks them.
import torch


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        total += torch.empty(shape, device="meta").numel() * (4 if trained else 1)
    return total * bytes_each
