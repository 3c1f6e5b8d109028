# A view with other numbers of the axes, the strip as it was.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    n, h, w, channels = images.shape
    return images.contiguous().view(n, channels, h, w).clone()
