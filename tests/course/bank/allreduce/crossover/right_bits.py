# Levels by bit_length, everything times two.
def crossover(alpha, beta, world_size):
    levels = (world_size - 1).bit_length()
    messages = 2 * (world_size - 1) - 2 * levels
    sizes = 2 * levels - 2 * (world_size - 1) / world_size
    return messages / sizes * (alpha / beta)
