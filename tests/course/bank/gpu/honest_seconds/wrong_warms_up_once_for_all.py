# Warms up at the very first measurement only.


warmed = []


def honest_seconds(work, synchronize, clock, repeats):
    if not warmed:
        work()
        warmed.append(True)
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats
