# An axis of length 0 counts as one.


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        size = 1
        for axis in shape:
            size *= axis or 1
        total += size * (4 if trained else 1)
    return total * bytes_each
