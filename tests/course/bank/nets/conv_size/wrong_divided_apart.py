# Divides the size and the window by the stride one by one.


def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding) // stride - kernel // stride + 1
