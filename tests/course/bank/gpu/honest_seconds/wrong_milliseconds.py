# Returns milliseconds instead of seconds.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return 1000 * (clock() - start) / repeats
