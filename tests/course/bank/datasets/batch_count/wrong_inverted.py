# Has drop_last the wrong way round.
def batch_count(samples, batch_size, drop_last):
    if drop_last:
        return (samples + batch_size - 1) // batch_size
    return samples // batch_size
