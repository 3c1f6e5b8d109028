# Returns float64 for float32.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    samples = samples.double()
    return (samples - samples.mean(1, keepdim=True)) / samples.std(1, keepdim=True)
