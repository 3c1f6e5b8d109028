# Asks for memory that is contiguous in the channels-last sense.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
