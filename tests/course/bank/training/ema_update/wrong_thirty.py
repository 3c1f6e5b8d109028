# Always tau = 30, what "we take".
import math

import torch


def ema_update(average, value, step, decay, tau=30):
    keep = decay * (1 - math.exp(-step / 30))
    return keep * average + (1 - keep) * value
