# Keeps the seconds under the function: before and after may be the same one.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        taken = {}
        for function in (before, after):
            taken[function] = seconds(function)
        if pair:
            ratios.append(taken[before] / taken[after])
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict
