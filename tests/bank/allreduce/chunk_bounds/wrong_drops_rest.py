# The rest is covered by nobody.
def chunk_bounds(length, world_size):
    size = length // world_size
    return [(r * size, (r + 1) * size) for r in range(world_size)]
