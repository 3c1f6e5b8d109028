# `and` hands on False instead of 0 where there is no full batch.
def batch_count(samples, batch_size, drop_last):
    if drop_last:
        return samples >= batch_size and samples // batch_size
    return samples // batch_size + (samples % batch_size != 0)
