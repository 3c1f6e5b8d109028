# Recursion, one level for each batch: a set as large as MNIST goes too deep.
def batch_count(samples, batch_size, drop_last):
    if samples < batch_size:
        return int(samples > 0 and not drop_last)
    return 1 + batch_count(samples - batch_size, batch_size, drop_last)
