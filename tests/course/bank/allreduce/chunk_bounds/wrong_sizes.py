# Start and length instead of start and end.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    start, found = 0, []
    for r in range(world_size):
        here = size + (r < rest)
        found.append((start, here))
        start += here
    return found
