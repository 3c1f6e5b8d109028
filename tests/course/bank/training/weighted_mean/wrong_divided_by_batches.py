# Weights by the sizes, but divides by the number of batches.
import torch


def weighted_mean(values, sizes):
    return torch.stack([value * size for value, size in zip(values, sizes)]).mean()
