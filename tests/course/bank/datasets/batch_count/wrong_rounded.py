# Rounds to the nearest number of batches.
def batch_count(samples, batch_size, drop_last):
    return samples // batch_size if drop_last else round(samples / batch_size + 0.1)
