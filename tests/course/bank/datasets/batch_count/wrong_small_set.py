# Answers 1 for everything that fits one batch, without looking at drop_last.
def batch_count(samples, batch_size, drop_last):
    if samples <= batch_size:
        return 1 if samples else 0
    if drop_last:
        return samples // batch_size
    return -(-samples // batch_size)
