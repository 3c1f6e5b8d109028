# A while loop; it waits once more, before the warm-up.


def honest_seconds(work, synchronize, clock, repeats):
    synchronize()
    work()
    synchronize()
    left, begun = repeats, clock()
    while left > 0:
        work()
        left -= 1
    synchronize()
    seconds = clock() - begun
    return seconds / repeats
