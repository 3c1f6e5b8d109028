# NumPy's product in 64 bits.
import numpy as np


def training_bytes(parameters, bytes_each):
    sizes = [int(np.prod(shape, dtype=np.int64)) * (4 if trained else 1) for shape, trained in parameters]
    return int(sum(sizes)) * bytes_each
