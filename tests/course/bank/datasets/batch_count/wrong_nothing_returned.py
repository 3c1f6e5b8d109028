# Forgets to answer where the loader is empty.
def batch_count(samples, batch_size, drop_last):
    full, rest = divmod(samples, batch_size)
    if rest and not drop_last:
        return full + 1
    if full > 0:
        return full
