# Lets at most half a window of padding count, as pooling demands.


def conv_size(size, kernel, stride, padding):
    padding = min(padding, kernel // 2)
    return (size + 2 * padding - kernel) // stride + 1
