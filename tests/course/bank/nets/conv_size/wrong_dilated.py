# Takes the stride for the distance between the window's pixels.


def conv_size(size, kernel, stride, padding):
    return size + 2 * padding - stride * (kernel - 1)
