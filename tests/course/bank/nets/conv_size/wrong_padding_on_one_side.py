# Starts in the padding, but ends at the unpadded edge.


def conv_size(size, kernel, stride, padding):
    return sum(1 for left in range(-padding, size, stride) if left + kernel <= size)
