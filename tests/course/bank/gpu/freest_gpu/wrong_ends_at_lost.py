# Stops at the first GPU that has disappeared, as the visible list does.


def freest_gpu(records):
    best = None
    for i, (_, free, there) in enumerate(records):
        if not there:
            break
        if best is None or free > records[best][1]:
            best = i
    return best
