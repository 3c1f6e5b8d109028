# Adds height and width instead of multiplying them.
import math

import torch


def kaiming_bound(shape):
    n_in = shape[1] * (sum(shape[2:]) or 1)
    return math.sqrt(6 / n_in)
