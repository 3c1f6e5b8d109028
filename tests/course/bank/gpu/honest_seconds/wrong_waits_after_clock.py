# Reads the clock, and only then waits.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    stop = clock()
    synchronize()
    return (stop - start) / repeats
