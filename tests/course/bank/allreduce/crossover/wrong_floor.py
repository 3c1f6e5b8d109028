# log2 rounded down.
import math


def crossover(alpha, beta, world_size):
    levels = math.floor(math.log2(world_size))
    ring = 2 * (world_size - 1), 2 * (world_size - 1) / world_size
    tree = 2 * levels, 2 * levels
    return alpha * (ring[0] - tree[0]) / (beta * (tree[1] - ring[1]))
