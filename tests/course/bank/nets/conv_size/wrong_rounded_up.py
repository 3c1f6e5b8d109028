# Rounds up, so a window that hangs over the other edge counts.


def conv_size(size, kernel, stride, padding):
    steps, left_over = divmod(size + 2 * padding - kernel, stride)
    return steps + 1 + (left_over > 0)
