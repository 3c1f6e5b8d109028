# Goes along the first axis and stacks: a tensor without axes has none.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return torch.stack([keep * a + (1 - keep) * v for a, v in zip(average, value)])
