# Weights each batch by its number of pictures, though pictures of another size have other numbers of pixels.
def channel_stats(batches):
    count = total = squares = 0
    for batch in batches:
        pixels = batch.double() / 255
        count += len(batch)
        total = total + pixels.mean(dim=(2, 3)).sum(0)
        squares = squares + pixels.square().mean(dim=(2, 3)).sum(0)
    mean = total / count
    return mean.float(), (squares / count - mean.square()).clamp(min=0).sqrt().float()
