# Every chunk goes all the way round by itself: N (N - 1) messages.
def ring(chunks, rank, world_size):
    sums = [c.clone() for c in chunks]
    for i in range(world_size):
        travelling = chunks[i]
        for _ in range(world_size - 1):
            travelling = yield travelling
            sums[i] = sums[i] + travelling
    return sums
