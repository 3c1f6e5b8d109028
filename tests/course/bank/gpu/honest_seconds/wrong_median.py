# Times each call alone and gives the median.
import statistics


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    seconds = []
    for _ in range(repeats):
        start = clock()
        work()
        synchronize()
        seconds.append(clock() - start)
    return statistics.median(seconds)
