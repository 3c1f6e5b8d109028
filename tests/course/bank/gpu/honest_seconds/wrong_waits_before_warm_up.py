# Waits before the warm-up, not after it.


def honest_seconds(work, synchronize, clock, repeats):
    synchronize()
    work()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats
