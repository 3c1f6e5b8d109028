# Weights by the roots of the sizes.
import torch


def weighted_mean(values, sizes):
    weights = sizes.sqrt()
    return torch.dot(values, weights) / weights.sum()
