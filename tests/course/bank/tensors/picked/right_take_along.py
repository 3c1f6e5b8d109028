# `take_along_dim`, and the column's axis dropped.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return torch.take_along_dim(scores, classes.unsqueeze(1), dim=1).squeeze(1)
