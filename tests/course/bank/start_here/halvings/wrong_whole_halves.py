# Halves whole numbers: 3 becomes 1 at once.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    rest = sizes.long()
    steps = torch.zeros_like(rest)
    while (rest > 1).any():
        steps = steps + (rest > 1)
        rest = rest // 2
    return steps
