# Times the asking: it does not wait for the device.


def honest_seconds(work, synchronize, clock, repeats):
    work()
    start = clock()
    for _ in range(repeats):
        work()
    return (clock() - start) / repeats
