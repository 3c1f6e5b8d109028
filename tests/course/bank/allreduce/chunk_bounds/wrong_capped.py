# No chunk is longer than 100,000 numbers less one.
def chunk_bounds(length, world_size):
    size, rest = divmod(min(length, 99_999), world_size)
    return [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]
