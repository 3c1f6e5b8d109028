# Chooses by the free share of the memory.


def freest_gpu(records):
    here = [i for i, record in enumerate(records) if record[2]]
    return max(here, key=lambda i: records[i][1] / records[i][0], default=None)
