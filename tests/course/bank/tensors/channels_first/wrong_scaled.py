# Scales bytes to fractions on the way.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return (images / 255).permute(0, 3, 1, 2).contiguous()
