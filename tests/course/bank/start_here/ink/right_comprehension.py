# Number by number, put into a tensor of the wanted type.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    means = [picture.double().mean().item() / 255 for picture in images]
    return torch.tensor(means, dtype=torch.float32)
