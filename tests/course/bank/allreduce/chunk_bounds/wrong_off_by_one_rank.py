# Gives the extra numbers to one rank too many.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    rest = min(world_size, rest + 1) if rest else 0
    return [(r * size + min(r, rest), min(length, (r + 1) * size + min(r + 1, rest))) for r in range(world_size)]
