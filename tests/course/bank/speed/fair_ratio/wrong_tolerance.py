# Wants the lowest ratio over 1.05 and the highest under 0.95.
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
