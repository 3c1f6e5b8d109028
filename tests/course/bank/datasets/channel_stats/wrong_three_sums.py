# Starts with sums for three channels: one channel is spread over three.
import torch


def channel_stats(batches):
    n, sums = 0, torch.zeros(2, 3, dtype=torch.float64)
    for batch in batches:
        pixels = batch.double() / 255
        n += batch[:, 0].numel()
        sums[0] += pixels.sum(dim=(0, 2, 3))
        sums[1] += (pixels**2).sum(dim=(0, 2, 3))
    mean, square = sums / n
    return mean.float(), (square - mean**2).clamp(min=0).sqrt().float()
