# A comprehension for the calls, two readings of the clock with names.


def honest_seconds(work, synchronize, clock, repeats):
    warm = work()
    del warm
    synchronize()
    begin = clock()
    [work() for _ in range(repeats)]
    synchronize()
    end = clock()
    return end / repeats - begin / repeats
