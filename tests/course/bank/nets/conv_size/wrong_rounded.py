# Rounds to the nearest whole number.


def conv_size(size, kernel, stride, padding):
    return round((size - kernel + 2 * padding) / stride + 1)
