# Takes the first three channels, red, green and blue.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.stack([images[..., i] for i in range(3)], dim=1)
