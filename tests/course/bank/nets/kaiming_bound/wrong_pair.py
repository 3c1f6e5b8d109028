# Gives both ends of the interval instead of a number.
import math

import torch


def kaiming_bound(shape):
    a = math.sqrt(6 / math.prod(shape[1:]))
    return -a, a
