# Keeps the share d from the first step on.
import torch


def ema_update(average, value, step, decay, tau):
    return torch.lerp(value, average, decay)
