# An empty list of parameters stops with an error.
import math
from functools import reduce


def training_bytes(parameters, bytes_each):
    return reduce(lambda a, b: a + b, [math.prod(s) * bytes_each * (4 if t else 1) for s, t in parameters])
