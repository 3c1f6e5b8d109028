# The mean of squares minus the squared mean, in float32: far from 0 the digits cancel.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    count = samples.shape[1]
    mean = samples.mean(1, keepdim=True)
    variance = (samples.square().mean(1, keepdim=True) - mean.square()) * count / (count - 1)
    return (samples - mean) / variance.clamp(min=1e-12).sqrt()
