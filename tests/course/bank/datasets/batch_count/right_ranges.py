# The length of the range of the first or of the last samples.
def batch_count(samples, batch_size, drop_last):
    if drop_last:
        return len(range(batch_size, samples + 1, batch_size))
    return len(range(0, samples, batch_size))
