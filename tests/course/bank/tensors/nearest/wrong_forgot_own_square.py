# Leaves the points' squares out of (a − b)².
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return (-2 * queries @ points.T).argmin(dim=1)
