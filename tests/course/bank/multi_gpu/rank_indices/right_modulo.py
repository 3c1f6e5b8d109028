# Position modulo length.
def rank_indices(length, world_size):
    each = (length + world_size - 1) // world_size
    return [[(rank + turn * world_size) % length for turn in range(each)] for rank in range(world_size)]
