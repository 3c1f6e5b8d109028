# Whole-number sums, and the root of an exact whole number.
import torch


def channel_stats(batches):
    n = total = squares = 0
    for batch in batches:
        pixels = batch.long()
        n += pixels[:, 0].numel()
        total = total + pixels.sum(dim=(0, 2, 3))
        squares = squares + (pixels * pixels).sum(dim=(0, 2, 3))
    spread = n * squares - total * total
    return (total.double() / (255 * n)).float(), (spread.double().sqrt() / (255 * n)).float()
