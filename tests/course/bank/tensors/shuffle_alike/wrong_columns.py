# Shuffles the columns of the rows.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(rows.shape[1])
    return rows[:, order], labels
