# Repeats the last index.
def rank_indices(length, world_size):
    indices = list(range(length)) + [length - 1] * (-length % world_size)
    return [indices[rank::world_size] for rank in range(world_size)]
