# The first pair runs unread and unkept, then the counted ones.


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    seconds(before), seconds(after)
    ratios = sorted(seconds(before) / seconds(after) for _ in range(runs))
    half = len(ratios) // 2
    middle = ratios[half] if len(ratios) % 2 else (ratios[half - 1] + ratios[half]) / 2
    low, *_ = ratios
    *_, high = ratios
    return low, middle, high, ("gain" if low > 1 else "loss" if high < 1 else "not shown")
