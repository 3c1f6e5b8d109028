# Always runs after before before.
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
