# One round more where the length divides evenly.
def rank_indices(length, world_size):
    each = length // world_size + 1
    return [[(rank + i * world_size) % length for i in range(each)] for rank in range(world_size)]
