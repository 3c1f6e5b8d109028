# The middle value of each picture instead of its mean.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).flatten(1).median(dim=1).values
