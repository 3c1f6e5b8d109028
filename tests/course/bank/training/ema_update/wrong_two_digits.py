# Rounds the share to two digits, as it was printed.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = round(decay * (1 - math.exp(-step / tau)), 2)
    return keep * average + (1 - keep) * value
