# Computes in float64 and comes back.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.double().mul(1 / 255).to(torch.float32)
