# Turns scores into shares first.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores.softmax(dim=1)[torch.arange(len(classes)), classes]
