# A stopwatch as a context manager.
from itertools import repeat


class Watch:
    def __init__(self, synchronize, clock):
        self.synchronize, self.clock = synchronize, clock

    def __enter__(self):
        self.synchronize()
        self.start = self.clock()
        return self

    def __exit__(self, *_):
        self.synchronize()
        self.seconds = self.clock() - self.start


def honest_seconds(work, synchronize, clock, repeats):
    work()
    with Watch(synchronize, clock) as watch:
        for _ in repeat(None, repeats):
            work()
    return watch.seconds / repeats
