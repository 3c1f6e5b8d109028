# Changes the average in place, as the training loop would.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return average.mul_(keep).add_(value, alpha=1 - keep)
