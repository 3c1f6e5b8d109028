# Takes the share of the step after.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-(step + 1) / tau))
    return keep * average + (1 - keep) * value
