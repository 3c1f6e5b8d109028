# drop_last takes one batch away, even if the last one is full.
import math


def batch_count(samples, batch_size, drop_last):
    count = math.ceil(samples / batch_size)
    return max(0, count - 1) if drop_last else count
