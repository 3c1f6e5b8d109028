# The size that a transposed convolution makes.


def conv_size(size, kernel, stride, padding):
    return (size - 1) * stride - 2 * padding + kernel
