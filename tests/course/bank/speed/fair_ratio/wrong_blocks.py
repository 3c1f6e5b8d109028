# All runs of before first, then all of after: drift counts as a difference.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    firsts = [seconds(before) for _ in range(runs + 1)]
    seconds_ = [seconds(after) for _ in range(runs + 1)]
    ratios = [a / b for a, b in zip(firsts, seconds_, strict=True)][1:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict
