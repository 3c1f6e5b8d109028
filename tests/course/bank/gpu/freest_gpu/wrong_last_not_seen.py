# The loop ends before the last GPU.


def freest_gpu(records):
    best = None
    for i in range(len(records) - 1):
        if records[i][2] and (best is None or records[i][1] > records[best][1]):
            best = i
    return best
