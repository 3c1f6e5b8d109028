# How much is white paper: one minus the mean.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return 1 - (images / 255).mean(dim=(1, 2))
