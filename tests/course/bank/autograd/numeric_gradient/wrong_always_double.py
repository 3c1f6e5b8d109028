# Works in float64 for accuracy and forgets the way back to the dtype of x.
import torch


def numeric_gradient(f, x, eps):
    base = x.double()
    result = torch.zeros(x.shape, dtype=torch.float64)
    steps = torch.eye(x.numel(), dtype=torch.float64) * eps
    for i, step in enumerate(steps):
        step = step.reshape(x.shape)
        result.view(-1)[i] = (f(base + step) - f(base - step)) / (2 * eps)
    return result
