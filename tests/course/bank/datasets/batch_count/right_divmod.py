# Full batches and rest by divmod, the rest counted if it is kept.
def batch_count(samples, batch_size, drop_last):
    full, rest = divmod(samples, batch_size)
    return full + int(rest > 0 and not drop_last)
