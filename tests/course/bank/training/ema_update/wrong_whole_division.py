# Divides whole numbers: nothing is kept before step tau.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-(step // tau)))
    return keep * average + (1 - keep) * value
