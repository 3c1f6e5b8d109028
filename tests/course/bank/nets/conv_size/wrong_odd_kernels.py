# Takes off half a window at each side: right for odd windows only.


def conv_size(size, kernel, stride, padding):
    half = kernel // 2
    return (size + 2 * padding - 2 * half - 1) // stride + 1
