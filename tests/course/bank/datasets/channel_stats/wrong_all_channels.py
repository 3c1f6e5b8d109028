# One deviation over all channels, repeated.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1) for batch in batches], 1).double() / 255
    mean = pixels.mean(1)
    return mean.float(), pixels.std(correction=0).expand_as(mean).float()
