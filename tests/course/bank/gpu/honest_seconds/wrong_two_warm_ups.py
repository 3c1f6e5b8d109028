# Warms up twice, where once is asked for.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats
