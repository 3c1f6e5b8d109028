# Counts what split gives, and split makes one empty piece of an empty tensor.
import torch


def batch_count(samples, batch_size, drop_last):
    pieces = torch.arange(samples).split(batch_size)
    if drop_last and len(pieces[-1]) < batch_size:
        pieces = pieces[:-1]
    return len(pieces)
