# Counts the pixels that are not black, not how bright they are.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images > 0).float().mean(dim=(1, 2))
