# Frozen parameters are counted four times too.
import math


def training_bytes(parameters, bytes_each):
    return sum(4 * math.prod(shape) for shape, _ in parameters) * bytes_each
