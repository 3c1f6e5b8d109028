# Hands back the average itself where average and value are equal already.
import math

import torch


def ema_update(average, value, step, decay, tau):
    if torch.equal(average, value):
        return average
    keep = decay * (1 - math.exp(-step / tau))
    return value + keep * (average - value)
