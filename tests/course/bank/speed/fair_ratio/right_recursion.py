# Recursion over the pairs, insertion into a sorted list.
from bisect import insort


def fair_ratio(before, after, clock, runs):
    def pairs(left):
        start = clock()
        before()
        first = clock() - start
        start = clock()
        after()
        ratio = first / (clock() - start)
        return [ratio, *(pairs(left - 1) if left else [])]

    ordered = []
    for ratio in pairs(runs)[1:]:
        insort(ordered, ratio)
    middle = sum(ordered[(runs - 1) // 2 : runs // 2 + 1]) / (1 if runs % 2 else 2)
    verdict = "not shown"
    if all(ratio > 1 for ratio in ordered):
        verdict = "gain"
    if all(ratio < 1 for ratio in ordered):
        verdict = "loss"
    return ordered[0], middle, ordered[-1], verdict
