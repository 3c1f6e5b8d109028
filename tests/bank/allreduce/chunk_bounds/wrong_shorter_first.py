# Even, but the longer ones come last.
def chunk_bounds(length, world_size):
    return [(r * length // world_size, (r + 1) * length // world_size) for r in range(world_size)]
