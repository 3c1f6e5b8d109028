# Gives the tenth and the ninetieth percentile, not the ends.
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
