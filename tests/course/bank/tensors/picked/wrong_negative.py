# The negative, as a loss has it.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return -scores[torch.arange(len(classes)), classes]
