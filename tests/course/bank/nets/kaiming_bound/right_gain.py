# The gain of ReLU from PyTorch, and the root of 3 for the uniform distribution.
import math

import torch
from torch import nn


def kaiming_bound(shape):
    n_in = 1
    for number in shape[1:]:
        n_in *= number
    return nn.init.calculate_gain("relu") * math.sqrt(3) / math.sqrt(n_in)
