# Walks from the end, so that a later find with equally much wins.


def freest_gpu(records):
    best = None
    for number in reversed(range(len(records))):
        _, free, there = records[number]
        if there and (best is None or not free < records[best][1]):
            best = number
    return best
