# itertools: an endless row, cut.
import math
from itertools import cycle, islice


def rank_indices(length, world_size):
    row = list(islice(cycle(range(length)), math.ceil(length / world_size) * world_size))
    return [row[rank::world_size] for rank in range(world_size)]
