# Gives the shape of a square output instead of one number.


def conv_size(size, kernel, stride, padding):
    out = (size + 2 * padding - kernel) // stride + 1
    return (out, out)
