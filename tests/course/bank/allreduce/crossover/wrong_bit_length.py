# bit_length of the number itself: one level too many at powers of two.
def crossover(alpha, beta, world_size):
    levels = world_size.bit_length()
    return alpha * (world_size - 1 - levels) / (beta * (levels - (world_size - 1) / world_size))
