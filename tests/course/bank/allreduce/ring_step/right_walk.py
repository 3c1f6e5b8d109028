# Walks the steps: what arrived is sent next.
def ring_step(rank, step, world_size):
    sent = rank
    for _ in range(step):
        sent = sent - 1 if sent else world_size - 1
    received = sent - 1 if sent else world_size - 1
    return sent, received, step + 1 < world_size
