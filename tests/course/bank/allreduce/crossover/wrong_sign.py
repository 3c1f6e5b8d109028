# The other sign.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return alpha * (levels - world_size + 1) / (beta * (levels - (world_size - 1) / world_size))
