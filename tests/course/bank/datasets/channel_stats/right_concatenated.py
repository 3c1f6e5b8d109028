# Puts all pixels side by side in NumPy.
import numpy
import torch


def channel_stats(batches):
    pixels = numpy.concatenate(
        [batch.numpy().swapaxes(0, 1).reshape(batch.shape[1], -1) for batch in batches], axis=1
    )
    pixels = pixels / 255.0
    return tuple(torch.from_numpy(f(pixels, axis=1)).float() for f in (numpy.mean, numpy.std))
