# Through NumPy, which copies in order as well.
import numpy as np
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.from_numpy(np.ascontiguousarray(np.moveaxis(images.numpy(), -1, 1)))
