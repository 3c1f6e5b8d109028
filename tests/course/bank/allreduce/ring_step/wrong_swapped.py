# Sent and received in each other's place.
def ring_step(rank, step, world_size):
    sent = (rank - step) % world_size
    return (sent - 1) % world_size, sent, step < world_size - 1
