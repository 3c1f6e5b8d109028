# Labels first, rows second.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows))
    return labels[order], rows[order]
