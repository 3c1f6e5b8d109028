# An empty list of records makes max stop with an error.


def freest_gpu(records):
    best = max(range(len(records)), key=lambda i: (records[i][2], records[i][1]))
    return best if records[best][2] else None
