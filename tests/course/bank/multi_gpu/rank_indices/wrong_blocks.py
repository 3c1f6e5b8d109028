# Neighbouring blocks instead of every N-th index.
def rank_indices(length, world_size):
    each = -(-length // world_size)
    whole = [i % length for i in range(each * world_size)]
    return [whole[rank * each : (rank + 1) * each] for rank in range(world_size)]
