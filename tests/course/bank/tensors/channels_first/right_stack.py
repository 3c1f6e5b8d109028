# One plane after the other, stacked along a new axis.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.stack(images.unbind(dim=-1), dim=1)
