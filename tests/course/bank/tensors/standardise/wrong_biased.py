# Divides by F, as LayerNorm does.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return torch.nn.functional.layer_norm(samples, samples.shape[1:], eps=0)
