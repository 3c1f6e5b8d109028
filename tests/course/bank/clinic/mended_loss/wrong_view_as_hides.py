# expand_as lets a single number stand for N.
import torch


def mended_loss(predictions, targets):
    predictions, targets = predictions.reshape(-1), targets.reshape(-1)
    if predictions.numel() != 1 and targets.numel() != 1 and predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions - targets).square().mean()
