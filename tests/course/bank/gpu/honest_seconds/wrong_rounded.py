# Rounds to hundredths of a second.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return round((clock() - start) / repeats, 2)
