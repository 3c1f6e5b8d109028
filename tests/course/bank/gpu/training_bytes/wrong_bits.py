# Gives the size in bits.
import math


def training_bytes(parameters, bytes_each):
    sizes = [math.prod(shape) for shape, _ in parameters]
    trained = [size for size, (_, learns) in zip(sizes, parameters, strict=True) if learns]
    return 8 * bytes_each * (sum(sizes) + 3 * sum(trained))
