# Three levels, as with eight ranks.
def crossover(alpha, beta, world_size):
    return alpha * (world_size - 1 - 3) / (beta * (3 - (world_size - 1) / world_size))
