# Drops axes of size 1 on the way.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.squeeze().movedim(-1, -3 if images.squeeze().dim() > 2 else 0).contiguous()
