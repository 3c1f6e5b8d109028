# Takes the ring's bytes for one whole size.
import math


def crossover(alpha, beta, world_size):
    levels = math.ceil(math.log2(world_size))
    return alpha * (world_size - 1 - levels) / (beta * max(levels - 0.5, 1e-9))
