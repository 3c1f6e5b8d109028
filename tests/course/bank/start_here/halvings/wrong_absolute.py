# Takes the absolute value of the logarithm: 0.25 gets two.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().abs().ceil().long()
