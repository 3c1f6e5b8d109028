# Divides by n − 1.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.movedim(1, 0).flatten(1) for batch in batches], dim=1).double() / 255
    return pixels.mean(1).float(), pixels.std(1).float()
