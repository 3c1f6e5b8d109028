# Receives the number that it sends.
def ring_step(rank, step, world_size):
    return (rank - step) % world_size, (rank - step) % world_size, step < world_size - 1
