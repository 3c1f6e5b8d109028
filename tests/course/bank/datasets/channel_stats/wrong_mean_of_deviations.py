# Averages the deviations of the batches, weighted by their sizes.
def channel_stats(batches):
    count = total = deviation = 0
    for batch in batches:
        pixels, n = batch.double() / 255, len(batch)
        count += n
        total = total + n * pixels.mean(dim=(0, 2, 3))
        deviation = deviation + n * pixels.std(dim=(0, 2, 3), correction=0)
    return (total / count).float(), (deviation / count).float()
