# Rounds the bound to three decimals.
import math

import torch


def kaiming_bound(shape):
    return round((6 / math.prod(shape[1:])) ** 0.5, 3)
