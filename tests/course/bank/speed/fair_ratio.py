# %% right_list: A list of the four, which is unpacked like a tuple.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return [min(ratios), statistics.median(ratios), max(ratios), verdict]


# %% right_loop: Loop with a helper that times one call.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% right_numpy: An array of four readings a pair, all ratios at once.
import numpy as np


def fair_ratio(before, after, clock, runs):
    marks = np.empty((runs + 1, 4), dtype=np.float64)
    for row in marks:
        row[0] = clock()
        before()
        row[1] = clock()
        row[2] = clock()
        after()
        row[3] = clock()
    ratios = ((marks[:, 1] - marks[:, 0]) / (marks[:, 3] - marks[:, 2]))[1:]
    low, middle, high = float(ratios.min()), float(np.median(ratios)), float(ratios.max())
    words = {(True, False): "gain", (False, True): "loss"}
    return low, middle, high, words.get((low > 1, high < 1), "not shown")


# %% right_recursion: Recursion over the pairs, insertion into a sorted list.
from bisect import insort


def fair_ratio(before, after, clock, runs):
    def pairs(left):
        start = clock()
        before()
        first = clock() - start
        start = clock()
        after()
        ratio = first / (clock() - start)
        return [ratio, *(pairs(left - 1) if left else [])]

    ordered = []
    for ratio in pairs(runs)[1:]:
        insort(ordered, ratio)
    middle = sum(ordered[(runs - 1) // 2 : runs // 2 + 1]) / (1 if runs % 2 else 2)
    verdict = "not shown"
    if all(ratio > 1 for ratio in ordered):
        verdict = "gain"
    if all(ratio < 1 for ratio in ordered):
        verdict = "loss"
    return ordered[0], middle, ordered[-1], verdict


# %% right_separate_warm_up: The first pair runs unread and unkept, then the counted ones.
def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    seconds(before), seconds(after)
    ratios = sorted(seconds(before) / seconds(after) for _ in range(runs))
    half = len(ratios) // 2
    middle = ratios[half] if len(ratios) % 2 else (ratios[half - 1] + ratios[half]) / 2
    low, *_ = ratios
    *_, high = ratios
    return low, middle, high, ("gain" if low > 1 else "loss" if high < 1 else "not shown")


# %% right_shared_readings: Three readings a pair: the end of before is the start of after.
import statistics


def fair_ratio(before, after, clock, runs):
    ratios = []
    for _ in range(runs + 1):
        start = clock()
        before()
        middle = clock()
        after()
        ratios.append((middle - start) / (clock() - middle))
    ordered = sorted(ratios[1:])
    verdict = ("loss", "not shown", "gain")[1 + (ordered[0] > 1) - (ordered[-1] < 1)]
    return ordered[0], statistics.median(ordered), ordered[-1], verdict


# %% right_tensors: Tensors with one number each, which the comparison takes for numbers.
import torch


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = torch.tensor([seconds(before) / seconds(after) for _ in range(runs + 1)], dtype=torch.float64)[1:]
    low, middle, high = ratios.min(), ratios.quantile(0.5), ratios.max()
    verdict = "gain" if low > 1 else "loss" if high < 1 else "not shown"
    return low, middle, high, verdict


# %% wrong_after_first: Always runs after before before.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for _ in range(runs + 1):
        second = seconds(after)
        ratios.append(seconds(before) / second)
    del ratios[0]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_blocks: All runs of before first, then all of after: drift counts as a difference.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    firsts = [seconds(before) for _ in range(runs + 1)]
    seconds_ = [seconds(after) for _ in range(runs + 1)]
    ratios = [a / b for a, b in zip(firsts, seconds_, strict=True)][1:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_counts_pair_0: Pair 0, the warm-up, is counted.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        ratios.append(first / second)
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_dict_by_function: Keeps the seconds under the function: before and after may be the same one.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        taken = {}
        for function in (before, after):
            taken[function] = seconds(function)
        if pair:
            ratios.append(taken[before] / taken[after])
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_drops_after_sorting: Sorts first and then drops the first ratio, which is the lowest and not pair 0.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = sorted(seconds(before) / seconds(after) for _ in range(runs + 1))[1:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_drops_two: Leaves out pair 1 too where there are enough.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 1 or runs == 1:
            ratios.append(first / second)
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_float32_numbers: Counts in float32, and the clock's large readings lose their last digits.
import statistics

import torch


def fair_ratio(before, after, clock, runs):
    readings = torch.zeros(runs + 1, 4)
    for row in readings:
        for place, function in ((0, before), (2, after)):
            row[place] = clock()
            function()
            row[place + 1] = clock()
    ratios = ((readings[1:, 1] - readings[1:, 0]) / (readings[1:, 3] - readings[1:, 2])).tolist()
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_gain_at_one: Calls it a gain where the lowest ratio is just 1.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) >= 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_gain_by_high: Calls it a gain as soon as one ratio is over 1.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if max(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_loss_at_one: Calls it a loss where the highest ratio is just 1.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) <= 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_lower_median: torch's median takes the lower of the middle two.
import torch


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), torch.tensor(ratios, dtype=torch.float64).median().item(), max(ratios), verdict


# %% wrong_mean: Gives the mean in the place of the median.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.mean(ratios), max(ratios), verdict


# %% wrong_one_warm_up_too_many: Warms both up, and drops pair 0 all the same.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    before()
    after()
    ratios = [seconds(before) / seconds(after) for _ in range(runs + 1)][1:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_percentiles: Gives the tenth and the ninetieth percentile, not the ends.
import numpy as np


def fair_ratio(before, after, clock, runs):
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
    low, middle, high = np.percentile(ratios, [10, 50, 90]).tolist()
    verdict = "gain" if low > 1 else "loss" if high < 1 else "not shown"
    return low, middle, high, verdict


# %% wrong_perf_counter: Reads Python's clock, not the one that was given.
import statistics
import time


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_quantiles: statistics.quantiles wants two ratios; with one run it stops.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.quantiles(ratios, n=2)[0], max(ratios), verdict


# %% wrong_ratio_of_medians: Divides the medians of the seconds, not the pairs.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    firsts, lasts = [], []
    for _ in range(runs + 1):
        firsts.append(seconds(before))
        lasts.append(seconds(after))
    ratios = [a / b for a, b in zip(firsts[1:], lasts[1:], strict=True)]
    middle = statistics.median(firsts[1:]) / statistics.median(lasts[1:])
    verdict = "gain" if min(ratios) > 1 else "loss" if max(ratios) < 1 else "not shown"
    return min(ratios), middle, max(ratios), verdict


# %% wrong_ratio_of_sums: The middle is the whole time of before by the whole time of after.
def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    pairs = [(seconds(before), seconds(after)) for _ in range(runs + 1)][1:]
    ratios = sorted(a / b for a, b in pairs)
    middle = sum(a for a, _ in pairs) / sum(b for _, b in pairs)
    verdict = "gain" if ratios[0] > 1 else "loss" if ratios[-1] < 1 else "not shown"
    return ratios[0], middle, ratios[-1], verdict


# %% wrong_rounds: Rounds the ratios to hundredths before it judges them.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(round(first / second, 2))
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_runs_pairs: Runs one pair too few: pair 0 is one of the runs.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs):
        first = seconds(before)
        second = seconds(after)
        if pair > 0:
            ratios.append(first / second)
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_shifted_pairs: Divides by the after of the pair before.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    firsts, lasts = [], []
    for _ in range(runs + 1):
        firsts.append(seconds(before))
        lasts.append(seconds(after))
    ratios = [a / b for a, b in zip(firsts[1:], lasts[:-1], strict=True)]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_tolerance: Wants the lowest ratio over 1.05 and the highest under 0.95.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1.05:
        verdict = "gain"
    elif max(ratios) < 0.95:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_trims: Leaves out the lowest and the highest ratio as outliers.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if len(ratios) > 4:
        ratios = sorted(ratios)[1:-1]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_turned_over: Divides after by before.
import statistics


def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_turns_swap: Every other pair begins with after, against the task's order.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        order = [before, after] if pair % 2 == 0 else [after, before]
        taken = {function: seconds(function) for function in order}
        ratios.append(taken[before] / taken[after])
    ratios = ratios[1:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_upper_median: Of an even number of ratios it takes the upper of the middle two.
def fair_ratio(before, after, clock, runs):
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
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), sorted(ratios)[len(ratios) // 2], max(ratios), verdict


# %% wrong_verdict_by_median: The verdict looks at the median alone.
import statistics


def fair_ratio(before, after, clock, runs):
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
    middle = statistics.median(ratios)
    verdict = "gain" if middle > 1 else "loss" if middle < 1 else "not shown"
    return min(ratios), middle, max(ratios), verdict


# %% wrong_warmed_for_good: Remembers whom it has warmed up, and drops pair 0 only the first time.
import statistics


warmed = []


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    skip = 0 if warmed else 1
    warmed.append((before, after))
    ratios = [seconds(before) / seconds(after) for _ in range(runs + skip)][skip:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict


# %% wrong_warms_one: Only before is warmed up; then it counts every pair.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    before()
    ratios = [seconds(before) / seconds(after) for _ in range(runs)]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict
