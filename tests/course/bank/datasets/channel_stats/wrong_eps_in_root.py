# Adds 10⁻⁸ under the root: one-coloured pictures get a deviation of 10⁻⁴.
def channel_stats(batches):
    n = total = squares = 0
    for batch in batches:
        pixels = batch.long()
        n += pixels[:, :1].numel()
        total += pixels.sum(dim=(0, 2, 3))
        squares += (pixels**2).sum(dim=(0, 2, 3))
    mean = total.double() / n / 255
    variance = squares.double() / n / 255**2 - mean**2
    return mean.float(), (variance.clamp(min=0) + 1e-8).sqrt().float()
