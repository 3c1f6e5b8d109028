# Starts the clock and then waits for the warm-up.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    start = clock()
    synchronize()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats
