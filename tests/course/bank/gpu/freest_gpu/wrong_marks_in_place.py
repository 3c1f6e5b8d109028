# Crosses out lost GPUs in the list that was given.


def freest_gpu(records):
    for i, (total, _, there) in enumerate(records):
        if not there:
            records[i] = (total, -1, there)
    best = max(range(len(records)), key=lambda i: records[i][1], default=None)
    return best if best is not None and records[best][2] else None
