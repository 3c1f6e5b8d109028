# LayerNorm's divisor, corrected from F to F − 1.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    count = samples.shape[1]
    return torch.nn.functional.layer_norm(samples, (count,), eps=0) * ((count - 1) / count) ** 0.5
