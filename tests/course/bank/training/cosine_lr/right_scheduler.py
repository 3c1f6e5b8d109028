# PyTorch's scheduler as a formula: it is asked for the rate of that step.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=max_lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: (1 + math.cos(math.pi * (s + step) / total_steps)) / 2
    )
    return scheduler.get_last_lr()[0]
