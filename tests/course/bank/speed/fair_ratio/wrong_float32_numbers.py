# Counts in float32, and the clock's large readings lose their last digits.
import statistics

import torch


def fair_ratio(before, after, clock, runs):
    readings = torch.zeros(runs + 1, 4)
    for row in readings:
        for place, function in ((0, before), (2, after)):
            row[place] = clock()
            function()
            row[place + 1] = clock()
    ratios = ((readings[1:, 1] - readings[1:, 0]) / (readings[1:, 3] - readings[1:, 2])).tolist()
    if min(ratios) > 1:
        verdict = "gain"
    elif max(ratios) < 1:
        verdict = "loss"
    else:
        verdict = "not shown"
    return min(ratios), statistics.median(ratios), max(ratios), verdict
