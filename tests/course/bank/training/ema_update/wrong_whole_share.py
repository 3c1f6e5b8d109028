# Keeps d as soon as the share has come within a hundredth of it.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    if decay - keep < 0.01:
        keep = decay
    return keep * average + (1 - keep) * value
