# Whole bytes only.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return round(alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size)))
