# Counts how often each of the 256 values occurs in each channel.
import torch


def channel_stats(batches):
    counts = 0
    for batch in batches:
        counts = counts + torch.stack(
            [torch.bincount(channel.flatten().int(), minlength=256) for channel in batch.unbind(1)]
        )
    share = counts.double() / counts.sum(1, keepdim=True)
    levels = torch.arange(256, dtype=torch.float64) / 255
    mean = share @ levels
    variance = (share * (levels - mean[:, None]) ** 2).sum(1)
    return mean.float(), variance.sqrt().float()
