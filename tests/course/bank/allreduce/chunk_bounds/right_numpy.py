# numpy's array_split of all the indices.
import numpy as np


def chunk_bounds(length, world_size):
    start, found = 0, []
    for part in np.array_split(np.arange(length), world_size):
        found.append((start, start + part.size))
        start += part.size
    return found
