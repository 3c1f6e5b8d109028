# Half-rounded: round() instead of rounding up.
def rank_indices(length, world_size):
    each = max(1, round(length / world_size))
    return [[(rank + i * world_size) % length for i in range(each)] for rank in range(world_size)]
