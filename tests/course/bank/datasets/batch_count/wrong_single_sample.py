# Drops a last batch only if it has a single sample.
def batch_count(samples, batch_size, drop_last):
    full, rest = divmod(samples, batch_size)
    if drop_last and rest == 1:
        rest = 0
    return full + bool(rest)
