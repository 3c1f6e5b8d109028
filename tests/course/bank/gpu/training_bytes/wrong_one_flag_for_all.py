# One frozen parameter freezes the whole model.
import math


def training_bytes(parameters, bytes_each):
    size = sum(math.prod(shape) for shape, _ in parameters)
    return size * bytes_each * (4 if all(trained for _, trained in parameters) else 1)
