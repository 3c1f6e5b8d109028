# Divides by the after of the pair before.
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
