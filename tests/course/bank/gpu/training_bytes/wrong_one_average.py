# Counts one of Adam's averages.
import math


def training_bytes(parameters, bytes_each):
    return bytes_each * sum((3 if trained else 1) * math.prod(shape) for shape, trained in parameters)
