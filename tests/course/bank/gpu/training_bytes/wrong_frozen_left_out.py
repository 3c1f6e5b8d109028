# Frozen parameters are not counted at all.
import math


def training_bytes(parameters, bytes_each):
    return sum(4 * bytes_each * math.prod(shape) for shape, trained in parameters if trained)
