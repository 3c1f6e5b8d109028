# Counts Adam's step counter of each trained parameter.
import math


def training_bytes(parameters, bytes_each):
    return bytes_each * sum(4 * math.prod(s) + 1 if trained else math.prod(s) for s, trained in parameters)
