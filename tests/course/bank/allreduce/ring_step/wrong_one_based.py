# Counts the ranks from 1.
def ring_step(rank, step, world_size):
    sent = (rank + 1 - step) % world_size
    return sent, (sent - 1) % world_size, step < world_size - 1
