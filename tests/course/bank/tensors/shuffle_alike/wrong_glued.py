# Glues the labels on as a column of the rows' type, and they stay floats.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    together = torch.cat([rows, labels[:, None].to(rows.dtype)], dim=1)[torch.randperm(len(rows))]
    return together[:, :-1], together[:, -1]
