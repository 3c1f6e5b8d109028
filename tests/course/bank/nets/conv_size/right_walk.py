# Walks the window along the padded axis until it hangs over.


def conv_size(size, kernel, stride, padding):
    places, right = 0, kernel - padding
    while right <= size + padding:
        places, right = places + 1, right + stride
    return places
