# Only before is warmed up; then it counts every pair.
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
