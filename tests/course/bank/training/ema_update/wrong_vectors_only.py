# Goes along one axis and makes float32 of it: right for vectors only.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return torch.tensor([keep * float(a) + (1 - keep) * float(v) for a, v in zip(average, value)])
