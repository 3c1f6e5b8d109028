# Reads Python's clock, not the one that was given.
import time


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    synchronize()
    return (time.perf_counter() - start) / repeats
