# Works on flat views, which a transposed tensor does not have.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    mixed = keep * average.view(-1) + (1 - keep) * value.view(-1)
    return mixed.view(average.shape)
