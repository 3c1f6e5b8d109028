# Thinks that a loader has at least one batch.
import math


def batch_count(samples, batch_size, drop_last):
    exact = samples / batch_size
    return max(1, math.floor(exact) if drop_last else math.ceil(exact))
