# A running mean that each batch moves by its share of what was seen.
import torch


def weighted_mean(values, sizes):
    mean, seen = torch.zeros_like(values[0]), 0
    for value, size in zip(values, sizes):
        seen = seen + size
        mean = mean + (value - mean) * (size / seen)
    return mean
