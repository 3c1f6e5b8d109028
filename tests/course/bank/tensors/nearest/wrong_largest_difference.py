# The largest difference of a coordinate counts.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(queries, points, p=float("inf")).argmin(dim=1)
