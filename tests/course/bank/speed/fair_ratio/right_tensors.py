# Tensors with one number each, which the comparison takes for numbers.
import torch


def fair_ratio(before, after, clock, runs):
    def seconds(function):
        start = clock()
        function()
        return clock() - start

    ratios = torch.tensor([seconds(before) / seconds(after) for _ in range(runs + 1)], dtype=torch.float64)[1:]
    low, middle, high = ratios.min(), ratios.quantile(0.5), ratios.max()
    verdict = "gain" if low > 1 else "loss" if high < 1 else "not shown"
    return low, middle, high, verdict
