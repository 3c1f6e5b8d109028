# Both tensors stacked, and a product with the two shares.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay - decay * math.exp(-step / tau)
    shares = torch.tensor([keep, 1 - keep], dtype=value.dtype)
    return torch.einsum("s,s...->...", shares, torch.stack([average, value]))
