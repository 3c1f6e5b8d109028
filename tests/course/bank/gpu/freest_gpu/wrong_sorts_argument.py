# Sorts the list that was given, so its order is lost with the numbers.


def freest_gpu(records):
    records.sort(key=lambda record: (record[2], record[1]), reverse=True)
    return 0 if records and records[0][2] else None
