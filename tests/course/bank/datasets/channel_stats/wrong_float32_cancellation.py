# Sums scaled squares in float32: pictures of nearly one colour get a deviation of noise, or none.
def channel_stats(batches):
    count, total, squares = 0, 0.0, 0.0
    for batch in batches:
        pixels = batch.float() / 255
        count += batch.shape[0] * batch.shape[2] * batch.shape[3]
        total += pixels.sum((0, 2, 3))
        squares += pixels.pow(2).sum((0, 2, 3))
    mean = total / count
    return mean, (squares / count - mean**2).clamp(min=0).sqrt()
