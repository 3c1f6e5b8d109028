# A loop over queries and points, too slow for 600,000 pairs.
import torch


def nearest(queries, points):
    """For each of (Q, D) the index of the nearest of (P, D): (Q,) int64."""
    found = []
    for query in queries:
        best, where = None, 0
        for index, point in enumerate(points):
            distance = ((query - point) ** 2).sum()
            if best is None or distance < best:
                best, where = distance, index
        found.append(where)
    return torch.tensor(found, dtype=torch.long)
