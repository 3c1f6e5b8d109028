# Sends in the second half what it is still to receive.
def ring_step(rank, step, world_size):
    if step < world_size - 1:
        return (rank - step) % world_size, (rank - step - 1) % world_size, True
    turn = step - (world_size - 1)
    return (rank - turn) % world_size, (rank - turn - 1) % world_size, False
