# Three readings a pair: the end of before is the start of after.
import statistics


def fair_ratio(before, after, clock, runs):
    ratios = []
    for _ in range(runs + 1):
        start = clock()
        before()
        middle = clock()
        after()
        ratios.append((middle - start) / (clock() - middle))
    ordered = sorted(ratios[1:])
    verdict = ("loss", "not shown", "gain")[1 + (ordered[0] > 1) - (ordered[-1] < 1)]
    return ordered[0], statistics.median(ordered), ordered[-1], verdict
