# A GPU with 0 free never beats the start value 0.


def freest_gpu(records):
    best, most = None, 0
    for number, (_, free, there) in enumerate(records):
        if there and free > most:
            best, most = number, free
    return best
