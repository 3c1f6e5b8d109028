# Waits after every tenth call, so nothing waits for the rest.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for number in range(repeats):
        work()
        if number % 10 == 9:
            synchronize()
    return (clock() - start) / repeats
