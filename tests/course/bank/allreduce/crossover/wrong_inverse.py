# beta over alpha.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return beta * (world_size - 1 - levels) / (alpha * (levels - (world_size - 1) / world_size))
