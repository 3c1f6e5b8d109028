# No modulo: numbers below 0.
def ring_step(rank, step, world_size):
    return rank - step, rank - step - 1, step < world_size - 1
