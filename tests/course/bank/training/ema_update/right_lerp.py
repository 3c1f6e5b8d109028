# lerp from the value to the average, expm1 for the share.
import math

import torch


def ema_update(average, value, step, decay, tau):
    return torch.lerp(value, average, -decay * math.expm1(-step / tau))
