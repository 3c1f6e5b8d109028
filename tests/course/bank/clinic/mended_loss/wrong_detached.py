# Cuts the graph: the loss is a number without a gradient.
import torch


def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return torch.tensor((predictions.flatten() - targets.flatten()).square().mean().item())
