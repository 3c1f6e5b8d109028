# Sorts first and then drops the first ratio, which is the lowest and not pair 0.
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
