# The time at which they cross, not the size.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    size = alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))
    return 2 * levels * (alpha + beta * size)
