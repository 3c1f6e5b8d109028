# The bound that PyTorch's layers start with, 1 over the root of n_in.
import math

import torch


def kaiming_bound(shape):
    n_in = 1
    for number in shape[1:]:
        n_in *= number
    return 1 / math.sqrt(n_in)
