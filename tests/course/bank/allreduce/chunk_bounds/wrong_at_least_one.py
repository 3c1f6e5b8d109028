# No chunk is empty: short tensors are cut into single numbers and the rest repeats the last.
def chunk_bounds(length, world_size):
    size, rest = divmod(length, world_size)
    bounds = [(r * size + min(r, rest), (r + 1) * size + min(r + 1, rest)) for r in range(world_size)]
    return [(start, end) if end > start else (max(0, length - 1), length) for start, end in bounds]
