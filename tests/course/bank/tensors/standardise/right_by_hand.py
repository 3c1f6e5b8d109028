# Squares, sum, root, written out.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    centred = samples - samples.sum(dim=1, keepdim=True) / samples.shape[1]
    variance = (centred * centred).sum(dim=1, keepdim=True) / (samples.shape[1] - 1)
    return centred * variance.rsqrt()
