# Halves told apart by division; positive numbers only.
def ring_step(rank, step, world_size):
    half = step // (world_size - 1)
    sent = (rank + 2 * world_size - step) % world_size
    return sent, (sent + world_size - 1) % world_size, not half
