# In place on a copy.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return average.clone().mul_(keep).add_(value, alpha=1 - keep)
