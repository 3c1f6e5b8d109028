# Turns each picture by a quarter on the way.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).rot90(2, (2, 3)).contiguous()
