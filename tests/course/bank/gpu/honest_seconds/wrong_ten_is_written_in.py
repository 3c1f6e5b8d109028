# Divides by 10, the example's number.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / 10
