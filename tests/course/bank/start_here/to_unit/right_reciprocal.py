# Multiplies with the reciprocal after the change of type.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.to(torch.float32) * (1 / 255)
