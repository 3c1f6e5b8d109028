# The remainder by bits, right only for powers of two.
def ring_step(rank, step, world_size):
    sent = (rank - step) & (world_size - 1)
    return sent, (sent - 1) & (world_size - 1), step < world_size - 1
