# Halves the sizes it was given.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1).any():
        above = sizes > 1
        steps += above
        sizes[above] /= 2
    return steps
