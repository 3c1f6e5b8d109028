# Empties the list that was given.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    while parameters:
        shape, trained = parameters.pop()
        total += (1, 4)[bool(trained)] * math.prod(shape)
    return total * bytes_each
