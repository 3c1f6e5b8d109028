# The smaller of d and the growing share, instead of their product.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = min(decay, 1 - math.exp(-step / tau))
    return keep * average + (1 - keep) * value
