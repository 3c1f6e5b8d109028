# Takes a linear layer's shape for (in, out); convolutions are right.
import math

import torch


def kaiming_bound(shape):
    n_in = shape[0] if len(shape) == 2 else shape[1] * shape[2] * shape[3]
    return math.sqrt(3 * 2 / n_in)
