# The median of all examples instead of their mean.
import torch


def weighted_mean(values, sizes):
    return torch.repeat_interleave(values, sizes).median()
