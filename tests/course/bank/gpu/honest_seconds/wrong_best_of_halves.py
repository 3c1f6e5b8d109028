# Measures twice and gives the better mean.


def honest_seconds(work, synchronize, clock, repeats):
    def mean():
        synchronize()
        start = clock()
        for _ in range(repeats):
            work()
        synchronize()
        return (clock() - start) / repeats

    work()
    return min(mean(), mean())
