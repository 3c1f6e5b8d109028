# Walks through the batches a second time for the deviations.
def channel_stats(batches):
    n = total = 0
    for batch in batches:
        n += batch[:, 0].numel()
        total = total + batch.double().sum(dim=(0, 2, 3))
    mean = total / n
    squares = sum(((batch.double() - mean[:, None, None]) ** 2).sum(dim=(0, 2, 3)) for batch in batches)
    return (mean / 255).float(), ((squares / n).sqrt() / 255).float()
