# Takes batches away until nothing usable is left.
def batch_count(samples, batch_size, drop_last):
    count = 0
    while samples >= batch_size or (samples > 0 and not drop_last):
        samples -= batch_size
        count += 1
    return count
