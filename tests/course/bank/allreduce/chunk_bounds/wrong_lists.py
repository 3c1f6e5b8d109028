# Lists instead of tuples.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    return [[r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)] for r in range(world_size)]
