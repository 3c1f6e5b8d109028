# The middle is the whole time of before by the whole time of after.


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    pairs = [(seconds(before), seconds(after)) for _ in range(runs + 1)][1:]
    ratios = sorted(a / b for a, b in pairs)
    middle = sum(a for a, _ in pairs) / sum(b for _, b in pairs)
    verdict = "gain" if ratios[0] > 1 else "loss" if ratios[-1] < 1 else "not shown"
    return ratios[0], middle, ratios[-1], verdict
