# Every other pair begins with after, against the task's order.
import statistics


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = []
    for pair in range(runs + 1):
        order = [before, after] if pair % 2 == 0 else [after, before]
        taken = {function: seconds(function) for function in order}
        ratios.append(taken[before] / taken[after])
    ratios = ratios[1:]
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict
