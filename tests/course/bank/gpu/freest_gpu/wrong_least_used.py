# Chooses the GPU with the least memory in use.


def freest_gpu(records):
    used = [(total - free, i) for i, (total, free, there) in enumerate(records) if there]
    return min(used)[1] if used else None
