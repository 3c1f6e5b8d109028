# The last one takes what is left.
def chunk_bounds(length, world_size):
    size = length // world_size
    return [(r * size, (r + 1) * size if r < world_size - 1 else length) for r in range(world_size)]
