# Empty chunks are (0, 0), so there is a jump back.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    found = [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]
    return [bounds if bounds[0] < bounds[1] else (0, 0) for bounds in found]
