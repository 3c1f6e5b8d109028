# The rows by the order, the labels by its inverse.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows))
    return rows[order], labels[order.argsort()]
