# An array of four readings a pair, all ratios at once.
import numpy as np


def fair_ratio(before, after, clock, runs):
    marks = np.empty((runs + 1, 4), dtype=np.float64)
    for row in marks:
        row[0] = clock()
        before()
        row[1] = clock()
        row[2] = clock()
        after()
        row[3] = clock()
    ratios = ((marks[:, 1] - marks[:, 0]) / (marks[:, 3] - marks[:, 2]))[1:]
    low, middle, high = float(ratios.min()), float(np.median(ratios)), float(ratios.max())
    words = {(True, False): "gain", (False, True): "loss"}
    return low, middle, high, words.get((low > 1, high < 1), "not shown")
