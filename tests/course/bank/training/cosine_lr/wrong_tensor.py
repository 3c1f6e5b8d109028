# Gives a tensor instead of a number.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    angle = torch.tensor(math.pi * step / total_steps, dtype=torch.float64)
    return max_lr * (1 + torch.cos(angle)) / 2
