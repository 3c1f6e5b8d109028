# NumPy in float64 in between, cast back.
import numpy as np
import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - np.exp(-step / tau))
    mixed = value.numpy() + keep * (average.numpy().astype(np.float64) - value.numpy())
    return torch.as_tensor(mixed).to(average.dtype)
