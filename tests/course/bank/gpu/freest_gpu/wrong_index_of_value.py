# Looks for the largest figure in all records, so a lost GPU with the same figure is found.


def freest_gpu(records):
    frees = [record[1] for record in records]
    present = [record[1] for record in records if record[2]]
    return frees.index(max(present)) if present else None
