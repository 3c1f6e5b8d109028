# Welford's merge of batches, with half the weight for each side.
def channel_stats(batches):
    mean = variance = None
    for batch in batches:
        pixels = batch.double() / 255
        m, v = pixels.mean(dim=(0, 2, 3)), pixels.var(dim=(0, 2, 3), correction=0)
        if mean is None:
            mean, variance = m, v
        else:
            variance = (variance + v) / 2 + (mean - m) ** 2 / 4
            mean = (mean + m) / 2
    return mean.float(), variance.sqrt().float()
