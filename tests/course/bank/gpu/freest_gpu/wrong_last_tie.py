# Of several with equally much it takes the last.


def freest_gpu(records):
    best, most = None, -1
    for number, (_, free, there) in enumerate(records):
        if there and free >= most:
            best, most = number, free
    return best
