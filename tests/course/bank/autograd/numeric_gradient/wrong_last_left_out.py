# The loop ends one element early, unless there is only one.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros(x.numel(), dtype=x.dtype)
    for i in range(max(1, x.numel() - 1)):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i : i + 1] = eps
        step = step.reshape(x.shape)
        result[i : i + 1] = (f(x + step) - f(x - step)) / (2 * eps)
    return result.reshape(x.shape)
