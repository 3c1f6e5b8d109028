# Sums whole numbers, exact, and divides once.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.sum(dim=(1, 2)) / (255 * images[0:1].numel() if len(images) else 1)
