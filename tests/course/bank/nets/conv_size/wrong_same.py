# The rule for "same" padding: the size divided by the stride, whatever the padding.


def conv_size(size, kernel, stride, padding):
    if padding == 0:
        return (size - kernel) // stride + 1
    return -(-size // stride)
