# Names synchronize at the end without calling it.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize
    return (clock() - start) / repeats
