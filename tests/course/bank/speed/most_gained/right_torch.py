# Sorts the totals as a float64 tensor and walks down to the first spare row.
import torch


def most_gained(rows, needed):
    if all(name in needed for name, _, _ in rows):
        return None, 1.0
    times = torch.tensor([row[1:] for row in rows], dtype=torch.float64)
    step = times[:, 0].sum()
    order = times[:, 1].argsort(descending=True).tolist()
    at = next(i for i in order if rows[i][0] not in needed)
    return rows[at][0], (1 / (1 - times[at, 1] / step)).item()
