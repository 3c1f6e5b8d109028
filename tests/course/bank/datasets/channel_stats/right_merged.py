# Merges mean and sum of squared deviations batch by batch (Chan).
import torch


def channel_stats(batches):
    n, mean, spread = 0, None, None
    for batch in batches:
        pixels = batch.transpose(0, 1).flatten(1).double() / 255
        k, m = pixels.shape[1], pixels.mean(1)
        s = ((pixels - m[:, None]) ** 2).sum(1)
        if n == 0:
            n, mean, spread = k, m, s
            continue
        delta = m - mean
        mean = mean + delta * k / (n + k)
        spread = spread + s + delta**2 * n * k / (n + k)
        n += k
    return mean.float(), torch.sqrt(spread / n).float()
