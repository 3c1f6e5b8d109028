# Counts in int32.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.int32)
    while (sizes > 1).any():
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps
