# GPU 0 is taken for no GPU.


def freest_gpu(records):
    best = None
    for i, (_, free, there) in enumerate(records):
        if there and (best is None or free > records[best][1]):
            best = i
    return best or None
