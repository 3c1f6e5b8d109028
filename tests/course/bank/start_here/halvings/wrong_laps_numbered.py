# Writes down the number of the lap in which each was last above, from 0.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    lap = 0
    while (sizes > 1).any():
        steps = torch.where(sizes > 1, lap, steps)
        sizes, lap = sizes / 2, lap + 1
    return steps
