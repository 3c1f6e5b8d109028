# max over the numbers that are there, with a default.


def freest_gpu(records):
    here = (i for i, record in enumerate(records) if record[2])
    return max(here, key=lambda i: records[i][1], default=None)
