# Standardises the rows and returns them as columns.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    columns = samples.T
    return (columns - columns.mean(0)) / columns.std(0)
