# Works on clones and adds in place; sends clones.
def ring(chunks, rank, world_size):
    mine = [c.clone() for c in chunks]
    at = rank
    for _ in range(world_size - 1):
        arrived = yield mine[at].clone()
        at = (at - 1) % world_size
        mine[at].add_(arrived)
    for _ in range(world_size - 1):
        arrived = yield mine[at].clone()
        at = (at - 1) % world_size
        mine[at].copy_(arrived)
    return mine
