# Makes bytes of whatever it is given.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).contiguous().to(torch.uint8)
