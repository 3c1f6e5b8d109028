# Gives a frozen parameter Adam's averages, but no gradient.
import math


def training_bytes(parameters, bytes_each):
    values = sum(math.prod(shape) for shape, _ in parameters)
    gradients = sum(math.prod(shape) for shape, trained in parameters if trained)
    return bytes_each * (values + gradients + 2 * values)
