# The mean of the means.
import torch


def weighted_mean(values, sizes):
    return torch.stack(list(values)).mean()
