# A mask of one True a row, which selects in order.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    mask = torch.zeros(scores.shape, dtype=torch.bool)
    mask[range(len(classes)), classes.tolist()] = True
    return scores[mask]
