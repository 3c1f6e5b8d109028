# Packs the sizes into 8 bits: right for batches below 256.
import torch


def weighted_mean(values, sizes):
    weights = sizes.to(torch.uint8)
    return (values * weights).sum() / weights.sum()
