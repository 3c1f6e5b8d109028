# Gathers along dim 0.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores.gather(0, classes[None, :].clamp(max=max(len(scores) - 1, 0))).flatten()
