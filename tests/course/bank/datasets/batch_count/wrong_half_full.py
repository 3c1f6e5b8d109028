# Keeps a last batch only if it is at least half full.
def batch_count(samples, batch_size, drop_last):
    full = samples // batch_size
    rest = samples - full * batch_size
    return full + int(not drop_last and 2 * rest >= batch_size)
