# Adam's averages are counted with 4 bytes, as in mixed precision.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        size = math.prod(shape)
        total += size * bytes_each
        if trained:
            total += size * bytes_each + 2 * size * 4
    return total
