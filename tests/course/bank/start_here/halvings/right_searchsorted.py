# Searches each size among the powers of two.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return torch.searchsorted(2.0 ** torch.arange(60, dtype=torch.float32), sizes)
