# Reads Python's clock, not the one that was given.
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
