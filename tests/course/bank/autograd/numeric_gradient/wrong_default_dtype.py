# Collects Python numbers, which become float32 whatever the dtype of x.
import torch


def numeric_gradient(f, x, eps):
    slopes = []
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps
        step = step.reshape(x.shape)
        slopes.append(((f(x + step) - f(x - step)) / (2 * eps)).item())
    return torch.tensor(slopes).reshape(x.shape)
