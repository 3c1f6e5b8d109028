# For each point the nearest query.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    return torch.cdist(points, queries).argmin(dim=1) if len(queries) else torch.zeros(0, dtype=torch.long)
