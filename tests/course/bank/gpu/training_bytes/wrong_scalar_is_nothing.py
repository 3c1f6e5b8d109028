# The shape () counts as no number.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        size = math.prod(shape) if shape else 0
        total += size * bytes_each * (4 if trained else 1)
    return total
