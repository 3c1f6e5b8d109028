# Takes half of the world for half of the steps.
def ring_step(rank, step, world_size):
    sent = (rank - step) % world_size
    return sent, (sent - 1) % world_size, step < world_size // 2 + 1
