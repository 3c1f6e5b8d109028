# Remembers whom it has warmed up, and drops pair 0 only the first time.
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
