# Python's own shuffle of the row numbers.
import random

import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = list(range(len(rows)))
    random.shuffle(order)
    order = torch.tensor(order, dtype=torch.long)
    return rows[order], labels[order]
