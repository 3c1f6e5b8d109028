# One call is asked for after the wait.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats - 1):
        work()
    synchronize()
    work()
    return (clock() - start) / repeats
