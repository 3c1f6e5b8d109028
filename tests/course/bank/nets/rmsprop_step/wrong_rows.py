# Goes along the first axis number by number: right for vectors only.
import math

import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = [alpha * float(s) + (1 - alpha) * float(g) ** 2 for s, g in zip(average, grad)]
    moved = [float(p) - lr * float(g) / (math.sqrt(s) + eps) for p, g, s in zip(parameter, grad, new)]
    return torch.tensor(moved), torch.tensor(new)
