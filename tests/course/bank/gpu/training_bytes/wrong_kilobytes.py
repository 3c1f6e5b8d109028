# Returns kilobytes instead of bytes.
import math


def training_bytes(parameters, bytes_each):
    total = sum(math.prod(shape) * (4 if trained else 1) for shape, trained in parameters)
    return total * bytes_each / 1024
