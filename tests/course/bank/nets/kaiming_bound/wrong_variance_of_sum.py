# Reads the variance of the uniform distribution as a over 3, without the square.
import math

import torch


def kaiming_bound(shape):
    return 3 * 2 / math.prod(shape[1:])
