# %% right_loop: A loop with a helper that times one call.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% right_slice: The rest as a slice; its ends are its least and its largest.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    rest = sorted(ratios)[skip : runs - skip]
    low, high = min(rest), max(rest)
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% right_separate_warm_up: The first pair runs unread, then the counted ones.
def fair_ratio(before, after, clock, runs, skip):
    before()
    after()
    ticks = []
    for _ in range(runs):
        ticks.append(clock())
        before()
        ticks.append(clock())
        after()
        ticks.append(clock())
    ratios = sorted((b - a) / (c - b) for a, b, c in zip(ticks[::3], ticks[1::3], ticks[2::3], strict=True))
    middle = (ratios[(runs - 1) // 2] + ratios[runs // 2]) / 2
    low, high = ratios[skip], ratios[~skip]
    return low, middle, high, {(True, False): "gain", (False, True): "loss"}.get((low > 1, high < 1), "not shown")


# %% right_numpy: An array of readings, and numpy's order.
import numpy as np


def fair_ratio(before, after, clock, runs, skip):
    readings = np.empty((runs + 1, 2))
    for pair in range(runs + 1):
        for side, work in enumerate([before, after]):
            start = clock()
            work()
            readings[pair, side] = clock() - start
    ratios = np.sort(readings[1:, 0] / readings[1:, 1])
    low, middle, high = (float(x) for x in (ratios[skip], np.median(ratios), ratios[-1 - skip]))
    return low, middle, high, "gain" if low > 1 else "loss" if high < 1 else "not shown"


# %% right_heap: The ends from a heap.
import heapq
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    low = heapq.nsmallest(skip + 1, ratios)[-1]
    high = heapq.nlargest(skip + 1, ratios)[-1]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% right_class: A class whose making gives the tuple.
import statistics


class fair_ratio:
    def __new__(cls, before, after, clock, runs, skip):
        ratios = [cls.pair(before, after, clock) for _ in range(runs + 1)][1:]
        ratios.sort()
        low, middle, high = ratios[skip], statistics.median(ratios), ratios[-1 - skip]
        return low, middle, high, "gain" if low > 1 else "loss" if high < 1 else "not shown"

    @staticmethod
    def pair(before, after, clock):
        start = clock()
        before()
        between = clock()
        after()
        return (between - start) / (clock() - between)


# %% wrong_after_first: Always runs after before before.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(after)
        second = seconds(before)
        if pair > 0:
            ratios.append(second / first)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_counts_pair_0: Pair 0, the warm-up, is counted.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_runs_pairs: Runs one pair too few, since pair 0 is one of the runs.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(max(runs, 2)):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_no_warm_up: Runs as many pairs as there are runs and counts all.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs):
        first = seconds(before)
        second = seconds(after)
        ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_turned_over: Divides after by before.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(second / first)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_drops_after_sorting: Sorts first and then drops the first ratio, which is the lowest and not pair 0.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        ratios.append(first / second)
    ratios = sorted(ratios)[1:]
    low, high = ratios[skip], ratios[-1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_whole_spread: Gives the lowest and the highest of all.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    low, high = min(ratios), max(ratios)
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_skips_low_only: Leaves out at the lower end alone.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[-1]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_skip_off_by_one: Gives the last one that was to be left out.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[max(skip - 1, 0)], ratios[-max(skip, 1)]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_minus_skip: Counts from the end with -skip, one place too far.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[-skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_not_sorted: Leaves out the first and the last pairs, not the lowest and the highest.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    low, high = min(ratios[skip : runs - skip]), max(ratios[skip : runs - skip])
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_one_of_one_side: Leaves out the pairs farthest from 1, on whichever side they are.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    rest = sorted(ratios, key=lambda r: abs(r - 1))[: runs - 2 * skip]
    low, high = min(rest), max(rest)
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_rest_is_mean: The mean in the place of the median.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.mean(ratios), high, verdict


# %% wrong_lower_median: Takes the lower of the middle two.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median_low(ratios), high, verdict


# %% wrong_upper_median: Takes the upper of the middle two.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median_high(ratios), high, verdict


# %% wrong_verdict_by_median: The verdict looks at the median alone.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if statistics.median(ratios) > 1:
        verdict = "gain"
    elif statistics.median(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_loss_by_median: A gain by the lower end, a loss by the median.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif statistics.median(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_gain_by_median: A gain by the median, a loss by the upper end.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if statistics.median(ratios) > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_gain_by_high: Calls it a gain as soon as the upper end is over 1.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if high > 1:
        verdict = "gain"
    elif low < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_gain_at_one: Calls it a gain where the lower end is just 1.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low >= 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_loss_at_one: Calls it a loss where the upper end is just 1.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high <= 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_verdict_by_all: Judges by all ratios, and gives the ends of the rest.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_tolerance: Wants the lower end over 1.05 and the upper under 0.95.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1.05:
        verdict = "gain"
    elif high < 0.95:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_rounds: Rounds to hundredths before it judges.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios = sorted(round(ratio, 2) for ratio in ratios)
    low, high = ratios[skip], ratios[-1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_rounds_verdict: Judges by rounded ends.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if round(low, 2) > 1:
        verdict = "gain"
    elif round(high, 2) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_swaps: Every other pair begins with after, against the order asked for.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before if pair % 2 else after)
        second = seconds(after if pair % 2 else before)
        if pair > 0:
            ratios.append(first / second if pair % 2 else second / first)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_median_of_rest_dropped: Leaves a ratio too many out of the median, where there are enough.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    rest = ratios[1:] if len(ratios) > 4 else ratios
    return low, statistics.median(rest), high, verdict


# %% wrong_dict: Gives a dict by name.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return {"low": low, "middle": statistics.median(ratios), "high": high, "verdict": verdict}


# %% right_list: A list, which is unpacked like a tuple.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return [low, statistics.median(ratios), high, verdict]


# %% wrong_capitals: Writes the verdict with a capital letter.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict.capitalize()


# %% wrong_one_warm_up_too_many: Warms both up, and drops pair 0 all the same.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    before()
    after()
    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_perf_counter: Reads Python's clock, not the one that was given.
import statistics
import time


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_blocks: All runs of before first, then all of after.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    first = [seconds(before) for _ in range(runs + 1)][1:]
    second = [seconds(after) for _ in range(runs + 1)][1:]
    ratios = [one / two for one, two in zip(first, second, strict=True)]
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_ratio_of_medians: Divides the medians of the seconds, not the pairs.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    pairs = [(seconds(before), seconds(after)) for _ in range(runs + 1)][1:]
    middle = statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)
    ratios = sorted(a / b for a, b in pairs)
    low, high = ratios[skip], ratios[-1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, middle, high, verdict


# %% wrong_dict_by_function: Keeps the seconds under the function: before and after may be the same one.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        took = {work: seconds(work) for work in (before, after)}
        if pair:
            ratios.append(took[before] / took[after])
    ratios.sort()
    low, high = ratios[skip], ratios[len(ratios) - 1 - skip]
    if low > 1:
        verdict = "gain"
    elif high < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return low, statistics.median(ratios), high, verdict


# %% wrong_isclose: Calls an end that is close to 1 not shown.
import math
import statistics


def fair_ratio(before, after, clock, runs, skip):
    def seconds(work):
        start = clock()
        work()
        return clock() - start

    ratios = sorted([seconds(before) / seconds(after) for _ in range(runs + 1)][1:])
    low, high = ratios[skip], ratios[runs - 1 - skip]
    verdict = "not shown"
    if low > 1 and not math.isclose(low, 1, rel_tol=1e-6):
        verdict = "gain"
    elif high < 1 and not math.isclose(high, 1, rel_tol=1e-6):
        verdict = "loss"
    return low, statistics.median(ratios), high, verdict


# %% right_one_clock: One reading between the two calls ends the first and begins the second.
import statistics


def fair_ratio(before, after, clock, runs, skip):
    before(), after()
    ratios = []
    while len(ratios) < runs:
        first = clock()
        before()
        second = clock()
        after()
        ratios.append((second - first) / (clock() - second))
    rest = sorted(ratios)[skip : runs - skip]
    verdict = {(True, False): "gain", (False, True): "loss"}.get((rest[0] > 1, rest[-1] < 1), "not shown")
    return [rest[0], statistics.median(rest), rest[-1], verdict]
