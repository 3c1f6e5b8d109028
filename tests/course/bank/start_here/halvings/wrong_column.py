# The right counts as a column.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().ceil().clamp(min=0).long()[:, None]
