# The deviation of the pictures' means, not of their pixels.
import torch


def channel_stats(batches):
    means = torch.cat([batch.double().mean(dim=(2, 3)) for batch in batches]) / 255
    return means.mean(0).float(), means.std(0, correction=0).float()
