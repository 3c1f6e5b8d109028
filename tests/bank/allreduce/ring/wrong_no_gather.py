# Only the first half: each rank has one complete chunk.
def ring(chunks, rank, world_size):
    for step in range(world_size - 1):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived
    return chunks
