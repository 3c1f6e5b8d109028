# Sizes, added up.
from itertools import accumulate, pairwise


def chunk_bounds(length, world_size):
    sizes = [len(range(r, length, world_size)) for r in range(world_size)]
    return list(pairwise(accumulate(sizes, initial=0)))
