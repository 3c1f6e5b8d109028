# Turns to floats as well, as networks want them.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).float().contiguous()
