# Divides by the calls with the warm-up.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / (repeats + 1)
