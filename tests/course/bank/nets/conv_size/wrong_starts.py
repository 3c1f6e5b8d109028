# Counts every start inside the padded picture, however little of the window is left.


def conv_size(size, kernel, stride, padding):
    count, start = 0, -padding
    while start < size + padding:
        count += 1
        start += stride
    return count
