# Number by number in plain Python, back into the shape.
import math

import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    moved, new = torch.empty_like(parameter), torch.empty_like(average)
    flat = zip(parameter.flatten().tolist(), grad.flatten().tolist(), average.flatten().tolist())
    pairs = []
    for p, g, s in flat:
        s = alpha * s + (1 - alpha) * g * g
        pairs.append((p - lr * g / (math.sqrt(s) + eps), s))
    if pairs:
        first, second = zip(*pairs)
        moved.copy_(torch.tensor(first, dtype=torch.float64).view(moved.shape))
        new.copy_(torch.tensor(second, dtype=torch.float64).view(new.shape))
    return moved, new
