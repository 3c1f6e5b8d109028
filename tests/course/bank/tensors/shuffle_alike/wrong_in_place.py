# Shuffles what it was given.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows))
    rows[:] = rows[order]
    labels[:] = labels[order]
    return rows, labels
