# The warm-up is inside the measurement.


def honest_seconds(work, synchronize, clock, repeats):
    synchronize()
    start = clock()
    work()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / (repeats + 1)
