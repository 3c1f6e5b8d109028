# Takes the warm-up's time off the whole, the asking only.


def honest_seconds(work, synchronize, clock, repeats):
    start = clock()
    work()
    warm = clock() - start
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start - warm) / repeats
