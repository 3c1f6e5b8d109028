# Counts only the GPUs that are there.


def freest_gpu(records):
    free = [free for _, free, there in records if there]
    return free.index(max(free)) if free else None
