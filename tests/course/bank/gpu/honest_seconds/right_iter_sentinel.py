# Calls through map into an empty deque.
from collections import deque


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    readings = [clock()]
    deque(map(lambda _: work(), range(repeats)), maxlen=0)
    synchronize()
    readings.append(clock())
    return (readings[1] - readings[0]) / repeats
