# Drops what does not divide, instead of beginning again.
def rank_indices(length, world_size):
    each = length // world_size
    return [list(range(rank, each * world_size, world_size)) for rank in range(world_size)]
