# Leaves the empty ones out.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    start, found = 0, []
    for r in range(world_size):
        end = start + size + (r < rest)
        if end > start:
            found.append((start, end))
        start = end
    return found
