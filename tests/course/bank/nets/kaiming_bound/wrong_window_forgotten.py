# Forgets that a convolution's window counts too.
import math

import torch


def kaiming_bound(shape):
    n_out, n_in, *window = shape
    variance = 2 / n_in
    return math.sqrt(3 * variance)
