# Keeps the share of the new value, and the rest of the old average.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return torch.lerp(average, value, keep)
