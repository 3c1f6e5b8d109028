# %% right_divmod: Halves told apart by division; positive numbers only.
def ring_step(rank, step, world_size):
    half = step // (world_size - 1)
    sent = (rank + 2 * world_size - step) % world_size
    return sent, (sent + world_size - 1) % world_size, not half


# %% right_modulo: One formula for both halves.
def ring_step(rank, step, world_size):
    sent = (rank - step) % world_size
    return sent, (sent - 1) % world_size, step < world_size - 1


# %% right_walk: Walks the steps: what arrived is sent next.
def ring_step(rank, step, world_size):
    sent = rank
    for _ in range(step):
        sent = sent - 1 if sent else world_size - 1
    received = sent - 1 if sent else world_size - 1
    return sent, received, step + 1 < world_size


# %% wrong_abs: The absolute value for what is below 0.
def ring_step(rank, step, world_size):
    return abs(rank - step) % world_size, abs(rank - step - 1) % world_size, step < world_size - 1


# %% wrong_added_once_more: One step too many is added.
def ring_step(rank, step, world_size):
    return (rank - step) % world_size, (rank - step - 1) % world_size, step < world_size


# %% wrong_always_added: Adds in the second half too.
def ring_step(rank, step, world_size):
    return (rank - step) % world_size, (rank - step - 1) % world_size, True


# %% wrong_fixed_chunk: Sends its own chunk all the time.
def ring_step(rank, step, world_size):
    return rank, (rank - 1) % world_size, step < world_size - 1


# %% wrong_half_by_two: Takes half of the world for half of the steps.
def ring_step(rank, step, world_size):
    sent = (rank - step) % world_size
    return sent, (sent - 1) % world_size, step < world_size // 2 + 1


# %% wrong_number_for_bool: 1 and 0 for yes and no.
def ring_step(rank, step, world_size):
    return (rank - step) % world_size, (rank - step - 1) % world_size, int(step < world_size - 1)


# %% wrong_one_based: Counts the ranks from 1.
def ring_step(rank, step, world_size):
    sent = (rank + 1 - step) % world_size
    return sent, (sent - 1) % world_size, step < world_size - 1


# %% wrong_power_of_two: The remainder by bits, right only for powers of two.
def ring_step(rank, step, world_size):
    sent = (rank - step) & (world_size - 1)
    return sent, (sent - 1) & (world_size - 1), step < world_size - 1


# %% wrong_restarts: The second half begins with chunk r again, instead of the one that has just been completed.
def ring_step(rank, step, world_size):
    turn = step % (world_size - 1)
    return (rank - turn) % world_size, (rank - turn - 1) % world_size, step < world_size - 1


# %% wrong_second_half_shifted: Sends in the second half what it is still to receive.
def ring_step(rank, step, world_size):
    if step < world_size - 1:
        return (rank - step) % world_size, (rank - step - 1) % world_size, True
    turn = step - (world_size - 1)
    return (rank - turn) % world_size, (rank - turn - 1) % world_size, False


# %% wrong_stuck_in_gather: In the second half it sends what it had last.
def ring_step(rank, step, world_size):
    last = min(step, world_size - 1)
    sent = (rank - last) % world_size
    return sent, (sent - 1) % world_size, step < world_size - 1


# %% wrong_swapped: Sent and received in each other's place.
def ring_step(rank, step, world_size):
    sent = (rank - step) % world_size
    return (sent - 1) % world_size, sent, step < world_size - 1


# %% wrong_three_ranks: Modulo 3, as in the example.
def ring_step(rank, step, world_size):
    return (rank - step) % 3, (rank - step - 1) % 3, step < 2


# %% wrong_upside_down: Says True where it is kept.
def ring_step(rank, step, world_size):
    sent = (rank - step) % world_size
    return sent, (sent - 1) % world_size, step >= world_size - 1
