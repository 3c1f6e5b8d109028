# Counts the free starts and divides rounding up.


def conv_size(size, kernel, stride, padding):
    starts = size + padding + padding - (kernel - 1)
    return -(-starts // stride)
