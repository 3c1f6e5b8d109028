# A picture smaller than the window has no place, even where the padding makes it large enough.


def conv_size(size, kernel, stride, padding):
    if kernel > size:
        return 0
    return (size + 2 * padding - kernel) // stride + 1
