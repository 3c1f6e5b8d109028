# Gives a frozen parameter a gradient.
import math


def training_bytes(parameters, bytes_each):
    numbers = 0
    for shape, trained in parameters:
        numbers += math.prod(shape) * (4 if trained else 2)
    return numbers * bytes_each
