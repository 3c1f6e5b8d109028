# The range ends before the last place that fits exactly.


def conv_size(size, kernel, stride, padding):
    return len(range(0, size + 2 * padding - kernel, stride))
