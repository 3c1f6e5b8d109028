# Hands back the value itself, not a new tensor, where nothing of the average is kept.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    if keep == 0:
        return value
    return keep * average + (1 - keep) * value
