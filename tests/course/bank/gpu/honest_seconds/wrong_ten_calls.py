# Always times ten calls.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(10):
        work()
    synchronize()
    return (clock() - start) / repeats
