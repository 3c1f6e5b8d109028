# Swaps from the back, in copies.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    rows, labels = rows.clone(), labels.clone()
    for i in range(len(rows) - 1, 0, -1):
        j = int(torch.randint(i + 1, ()))
        rows[[i, j]], labels[[i, j]] = rows[[j, i]], labels[[j, i]]
    return rows, labels
