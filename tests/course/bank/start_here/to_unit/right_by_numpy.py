# Through NumPy and back.
import numpy as np
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return torch.from_numpy((images.numpy() / 255).astype(np.float32))
