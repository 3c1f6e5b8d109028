# Takes 1.01 for 1, against rounding.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1.2).any():
        steps = steps + (sizes > 1.2)
        sizes = sizes / 2
    return steps
