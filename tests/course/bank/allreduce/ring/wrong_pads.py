# Cuts all chunks to the shortest length.
def ring(chunks, rank, world_size):
    shortest = min(len(c) for c in chunks)
    chunks = [c[:shortest] for c in chunks]
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks
