# Looks for the bound whose variance is right, by halving an interval.
import math

import torch


def kaiming_bound(shape):
    variance = 2 * shape[0] / math.prod(shape)
    low, high = 0.0, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * middle / 3 < variance else (low, middle)
    return low
