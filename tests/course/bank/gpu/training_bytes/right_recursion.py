# Recursion over the list, and over each shape.


def training_bytes(parameters, bytes_each):
    def numbers(shape):
        return shape[0] * numbers(shape[1:]) if shape else 1

    if not parameters:
        return 0
    (shape, trained), *rest = parameters
    return numbers(tuple(shape)) * bytes_each * (1 + 3 * bool(trained)) + training_bytes(rest, bytes_each)
