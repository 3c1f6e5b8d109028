# Every chunk begins at 0.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [(0, size + (r < rest)) for r in range(world_size)]
