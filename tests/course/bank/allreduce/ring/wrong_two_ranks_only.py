# One exchange and one copy, enough for two ranks.
def ring(chunks, rank, world_size):
    if world_size == 1:
        return chunks
    arrived = yield chunks[rank]
    into = (rank - 1) % world_size
    chunks[into] = chunks[into] + arrived
    chunks[rank] = yield chunks[into]
    return chunks
