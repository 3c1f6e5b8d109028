# The same order by `index_select` for both.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(labels.shape[0])
    return torch.index_select(rows, 0, order), torch.index_select(labels, 0, order)
