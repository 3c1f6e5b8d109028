# Averages the variances within the batches: how much the batches differ is left out.
def channel_stats(batches):
    count = total = variance = 0
    for batch in batches:
        pixels = batch.double().div(255)
        n = pixels[:, 0].numel()
        count += n
        total = total + pixels.sum(dim=(0, 2, 3))
        variance = variance + n * pixels.var(dim=(0, 2, 3), correction=0)
    return (total / count).float(), (variance / count).sqrt().float()
