# Divides the medians of the seconds, not the pairs.
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
