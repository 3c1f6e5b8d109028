# Counts the tree upwards only.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return (
        alpha
        * (2 * (world_size - 1) - levels)
        / (beta * max(1e-12, abs(levels - 2 * (world_size - 1) / world_size)))
    )
