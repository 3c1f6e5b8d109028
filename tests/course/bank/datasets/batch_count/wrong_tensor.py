# Returns a tensor with one number.
import torch


def batch_count(samples, batch_size, drop_last):
    exact = torch.tensor(samples / batch_size)
    return (exact.floor() if drop_last else exact.ceil()).long()
