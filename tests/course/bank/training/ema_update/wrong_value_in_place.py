# Scales the caller's value in place; the average stays.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    value *= 1 - keep
    return keep * average + value
