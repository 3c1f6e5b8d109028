# Counts the outputs: the first axis instead of the others.
import math

import torch


def kaiming_bound(shape):
    window = math.prod(shape[2:])
    return math.sqrt(6 / (shape[0] * window))
