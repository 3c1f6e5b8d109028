# One step too many is added.
def ring_step(rank, step, world_size):
    return (rank - step) % world_size, (rank - step - 1) % world_size, step < world_size
