# No padding: some ranks get fewer.
def rank_indices(length, world_size):
    return [list(range(rank, length, world_size)) for rank in range(world_size)]
