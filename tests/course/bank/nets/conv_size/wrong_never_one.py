# A window as large as the padded picture is said to have no place.


def conv_size(size, kernel, stride, padding):
    room = size + 2 * padding - kernel
    if not room:
        return 0
    return room // stride + 1
