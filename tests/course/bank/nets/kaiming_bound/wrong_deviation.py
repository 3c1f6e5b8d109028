# Gives the standard deviation instead of the bound.
import torch


def kaiming_bound(shape):
    n_in = torch.Size(shape[1:]).numel()
    return (2 / n_in) ** 0.5
