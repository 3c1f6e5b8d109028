# Says -1 where no GPU is there.


def freest_gpu(records):
    best, most = -1, -1.0
    for i in range(len(records)):
        total, free, there = records[i]
        if there and free > most:
            best, most = i, free
    return best
