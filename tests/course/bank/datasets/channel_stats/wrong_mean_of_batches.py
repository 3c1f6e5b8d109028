# Averages the batches' figures, whatever their sizes.
import torch


def channel_stats(batches):
    means, squares = [], []
    for batch in batches:
        pixels = batch.double() / 255
        means.append(pixels.mean(dim=(0, 2, 3)))
        squares.append((pixels**2).mean(dim=(0, 2, 3)))
    mean, square = torch.stack(means).mean(0), torch.stack(squares).mean(0)
    return mean.float(), (square - mean**2).clamp(min=0).sqrt().float()
