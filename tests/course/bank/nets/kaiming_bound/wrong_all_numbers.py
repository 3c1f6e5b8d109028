# Divides by all numbers of the weight, outputs included.
import math

import torch


def kaiming_bound(shape):
    return math.sqrt(6 / torch.zeros(shape).numel())
