# The natural logarithm, rounded up.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log().ceil().clamp(min=0).long()
