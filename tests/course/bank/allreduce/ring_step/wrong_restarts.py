# The second half begins with chunk r again, instead of the one that has just been completed.
def ring_step(rank, step, world_size):
    turn = step % (world_size - 1)
    return (rank - turn) % world_size, (rank - turn - 1) % world_size, step < world_size - 1
