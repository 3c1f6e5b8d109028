# Looks at the first batch for the number of channels: an iterator has lost it then.
import torch


def channel_stats(batches):
    channels = next(iter(batches)).shape[1]
    n, total, squares = 0, torch.zeros(channels).double(), torch.zeros(channels).double()
    for batch in batches:
        pixels = batch.double()
        n += pixels[:, 0].numel()
        total += pixels.sum(dim=(0, 2, 3))
        squares += (pixels**2).sum(dim=(0, 2, 3))
    mean = total / n
    return (mean / 255).float(), ((squares / n - mean**2).clamp(min=0).sqrt() / 255).float()
