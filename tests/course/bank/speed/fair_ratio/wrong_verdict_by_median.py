# The verdict looks at the median alone.
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
