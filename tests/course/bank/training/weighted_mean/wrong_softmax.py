# Takes a softmax of the sizes for the weights.
import torch


def weighted_mean(values, sizes):
    weights = torch.softmax(sizes.double(), dim=0).to(values.dtype)
    return (weights * values).sum()
