# Equal entries of the list are counted once.
import math


def training_bytes(parameters, bytes_each):
    return sum(math.prod(shape) * bytes_each * (4 if trained else 1) for shape, trained in set(parameters))
