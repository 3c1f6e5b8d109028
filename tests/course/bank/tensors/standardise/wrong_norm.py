# Scales each row to length 1.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    centred = samples - samples.mean(1, keepdim=True)
    return torch.nn.functional.normalize(centred, dim=1)
