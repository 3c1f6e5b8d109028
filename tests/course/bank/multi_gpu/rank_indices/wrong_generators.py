# Iterators, not lists.
from itertools import cycle, islice


def rank_indices(length, world_size):
    each = -(-length // world_size)
    return [islice(cycle(range(length)), rank, each * world_size, world_size) for rank in range(world_size)]
