# Starts from GPU 0 without asking whether it is there.


def freest_gpu(records):
    if not any(record[2] for record in records):
        return None
    best = 0
    for i in range(1, len(records)):
        if records[i][2] and records[i][1] > records[best][1]:
            best = i
    return best
