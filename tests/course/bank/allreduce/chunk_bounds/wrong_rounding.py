# Rounded borders: the longer ones lie anywhere.
def chunk_bounds(length, world_size):
    return [(round(r * length / world_size), round((r + 1) * length / world_size)) for r in range(world_size)]
