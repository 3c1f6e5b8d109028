# The whole width of the interval instead of half of it.
import math

import torch


def kaiming_bound(shape):
    variance = 2 / math.prod(shape[1:])
    return math.sqrt(12 * variance)
