# Values, gradients and averages, summed one after another.
import math


def training_bytes(parameters, bytes_each):
    values = sum(math.prod(shape) for shape, _ in parameters)
    gradients = sum(math.prod(shape) for shape, trained in parameters if trained)
    first, second = gradients, gradients
    return (values + gradients + first + second) * bytes_each
