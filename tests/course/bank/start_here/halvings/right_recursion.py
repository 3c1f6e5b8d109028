# Calls itself with the halves while any is above 1.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""

    def more(rest, steps):
        return more(rest / 2, steps + (rest > 1)) if (rest > 1).any() else steps

    return more(sizes, torch.zeros_like(sizes, dtype=torch.long))
