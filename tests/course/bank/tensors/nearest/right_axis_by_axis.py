# A loop over the few coordinates, not over pairs.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    total = torch.zeros(len(queries), len(points), dtype=torch.float64)
    for a, b in zip(queries.T, points.T, strict=True):
        total += (a[:, None].double() - b.double()) ** 2
    return torch.min(total, dim=1).indices
