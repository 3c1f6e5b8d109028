# The absolute value for what is below 0.
def ring_step(rank, step, world_size):
    return abs(rank - step) % world_size, abs(rank - step - 1) % world_size, step < world_size - 1
