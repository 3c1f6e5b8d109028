# A list of numbers.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return [row[c].item() for row, c in zip(scores, classes, strict=True)]
