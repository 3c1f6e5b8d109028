# Two parameters of one shape are counted once.
import math


def training_bytes(parameters, bytes_each):
    kinds = dict(parameters)
    return sum(math.prod(shape) * bytes_each * (4 if trained else 1) for shape, trained in kinds.items())
