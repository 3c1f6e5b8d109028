# Averages the ranks' means, whatever their lengths.
import torch


def sync_statistics(shares):
    mean = torch.stack([share.mean(0) for share in shares]).mean(0)
    square = torch.stack([share.square().mean(0) for share in shares]).mean(0)
    count = sum(len(share) for share in shares)
    variance = square - mean.square()
    return mean, variance, variance * count / (count - 1)
