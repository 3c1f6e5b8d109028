# %% right_comprehension: A comprehension for the calls, two readings of the clock with names.
def honest_seconds(work, synchronize, clock, repeats):
    warm = work()
    del warm
    synchronize()
    begin = clock()
    [work() for _ in range(repeats)]
    synchronize()
    end = clock()
    return end / repeats - begin / repeats


# %% right_iter_sentinel: Calls through map into an empty deque.
from collections import deque


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    readings = [clock()]
    deque(map(lambda _: work(), range(repeats)), maxlen=0)
    synchronize()
    readings.append(clock())
    return (readings[1] - readings[0]) / repeats


# %% right_stopwatch_class: A stopwatch as a context manager.
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


# %% right_while_with_more_waits: A while loop; it waits once more, before the warm-up.
def honest_seconds(work, synchronize, clock, repeats):
    synchronize()
    work()
    synchronize()
    left, begun = repeats, clock()
    while left > 0:
        work()
        left -= 1
    synchronize()
    seconds = clock() - begun
    return seconds / repeats


# %% wrong_best_of_halves: Measures twice and gives the better mean.
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


# %% wrong_divides_by_one_more: Divides by the calls with the warm-up.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / (repeats + 1)


# %% wrong_last_call_after_wait: One call is asked for after the wait.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats - 1):
        work()
    synchronize()
    work()
    return (clock() - start) / repeats


# %% wrong_median: Times each call alone and gives the median.
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


# %% wrong_milliseconds: Returns milliseconds instead of seconds.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return 1000 * (clock() - start) / repeats


# %% wrong_name_not_called: Names synchronize at the end without calling it.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize
    return (clock() - start) / repeats


# %% wrong_never_waits: Times the asking: it does not wait for the device.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    start = clock()
    for _ in range(repeats):
        work()
    return (clock() - start) / repeats


# %% wrong_one_call_fewer: Counts the warm-up among the repeats.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(1, repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


# %% wrong_perf_counter: Reads Python's clock, not the one that was given.
import time


def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    synchronize()
    return (time.perf_counter() - start) / repeats


# %% wrong_rounded: Rounds to hundredths of a second.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return round((clock() - start) / repeats, 2)


# %% wrong_subtracts_wait: Takes the time of the last wait off again.
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


# %% wrong_subtracts_warm_up: Takes the warm-up's time off the whole, the asking only.
def honest_seconds(work, synchronize, clock, repeats):
    start = clock()
    work()
    warm = clock() - start
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start - warm) / repeats


# %% wrong_ten_calls: Always times ten calls.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(10):
        work()
    synchronize()
    return (clock() - start) / repeats


# %% wrong_ten_is_written_in: Divides by 10, the example's number.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / 10


# %% wrong_torch_synchronize: Waits for torch's own devices, not for the one that was given.
import torch


def honest_seconds(work, synchronize, clock, repeats):
    work()
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    start = clock()
    for _ in range(repeats):
        work()
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    return (clock() - start) / repeats


# %% wrong_two_warm_ups: Warms up twice, where once is asked for.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


# %% wrong_waits_after_clock: Reads the clock, and only then waits.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    stop = clock()
    synchronize()
    return (stop - start) / repeats


# %% wrong_waits_before_warm_up: Waits before the warm-up, not after it.
def honest_seconds(work, synchronize, clock, repeats):
    synchronize()
    work()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


# %% wrong_waits_every_tenth: Waits after every tenth call, so nothing waits for the rest.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for number in range(repeats):
        work()
        if number % 10 == 9:
            synchronize()
    return (clock() - start) / repeats


# %% wrong_warm_up_timed: The warm-up is inside the measurement.
def honest_seconds(work, synchronize, clock, repeats):
    synchronize()
    start = clock()
    work()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / (repeats + 1)


# %% wrong_warms_up_once_for_all: Warms up at the very first measurement only.
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


# %% wrong_whole_seconds: Divides to whole seconds.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) // repeats


# %% wrong_whole_microseconds: Rounds to whole microseconds, which is 0 for a very short call.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return round((clock() - start) / repeats, 6)


# %% wrong_waits_every_hundredth: Empties the queue after every hundredth call.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    start = clock()
    for number in range(1, repeats + 1):
        work()
        if number % 100 == 0:
            synchronize()
    synchronize()
    return (clock() - start) / repeats


# %% wrong_last_call_untimed: Times all calls but the last, and leaves that out of the mean.
def honest_seconds(work, synchronize, clock, repeats):
    work()
    synchronize()
    timed, start = max(1, repeats - 1), clock()
    for _ in range(timed):
        work()
    synchronize()
    seconds = (clock() - start) / timed
    for _ in range(repeats - timed):
        work()
    return seconds
