# Number by number, into an empty tensor of the same shape.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.e ** (-step / tau))
    mixed = [keep * a + (1 - keep) * v for a, v in zip(average.flatten().tolist(), value.flatten().tolist())]
    return torch.tensor(mixed, dtype=average.dtype).reshape(average.shape)
