# Adds the sizes of the axes instead of multiplying.


def training_bytes(parameters, bytes_each):
    return bytes_each * sum((1 + 3 * trained) * sum(shape) for shape, trained in parameters)
