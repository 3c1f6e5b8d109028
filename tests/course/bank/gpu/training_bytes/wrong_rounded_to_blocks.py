# Rounds each tensor up to the allocator's blocks of 512 bytes.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        block = -(-math.prod(shape) * bytes_each // 512) * 512
        total += block * (4 if trained else 1)
    return total
