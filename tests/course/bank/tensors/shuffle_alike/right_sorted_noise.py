# The order that sorts random numbers.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.rand(len(rows)).argsort()
    return rows.gather(0, order[:, None].expand(-1, rows.shape[1])), labels.gather(0, order)
