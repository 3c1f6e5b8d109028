# The full batches as a range that ends too early: a full last batch is lost.
def batch_count(samples, batch_size, drop_last):
    return len(range(batch_size if drop_last else 0, samples, batch_size))
