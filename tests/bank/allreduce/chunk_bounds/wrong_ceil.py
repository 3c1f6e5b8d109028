# Chunks rounded up: the last ones may be much shorter, as torch.chunk does.
def chunk_bounds(length, world_size):
    size = -(-length // world_size)
    return [(min(r * size, length), min((r + 1) * size, length)) for r in range(world_size)]
