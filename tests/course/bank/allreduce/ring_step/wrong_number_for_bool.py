# 1 and 0 for yes and no.
def ring_step(rank, step, world_size):
    return (rank - step) % world_size, (rank - step - 1) % world_size, int(step < world_size - 1)
