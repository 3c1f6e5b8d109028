# Draws with repetition: some rows come twice, some never.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randint(len(rows), (len(rows),)) if len(rows) else torch.zeros(0, dtype=torch.long)
    return rows[order], labels[order]
