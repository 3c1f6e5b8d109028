# The sums, beginning with this rank's own chunk.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks[rank:] + chunks[:rank]
