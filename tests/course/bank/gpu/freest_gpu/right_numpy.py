# NumPy: lost GPUs get minus infinity, argmax takes the first.
import numpy as np


def freest_gpu(records):
    there = np.array([record[2] for record in records], dtype=bool)
    free = np.array([record[1] for record in records], dtype=np.float64)
    return int(np.where(there, free, -np.inf).argmax()) if there.any() else None
