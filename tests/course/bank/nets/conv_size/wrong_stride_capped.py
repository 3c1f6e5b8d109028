# A stride larger than the window is cut down to the window.


def conv_size(size, kernel, stride, padding):
    stride = min(stride, kernel)
    return (size + 2 * padding - kernel) // stride + 1
