# Adds logarithms instead of multiplying and taking roots.
import math

import torch


def kaiming_bound(shape):
    return math.exp((math.log(6) - sum(math.log(number) for number in shape[1:])) / 2)
