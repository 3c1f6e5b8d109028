# Always adds a batch for the rest, also where there is none.
def batch_count(samples, batch_size, drop_last):
    count = samples // batch_size
    return count if drop_last else count + 1
