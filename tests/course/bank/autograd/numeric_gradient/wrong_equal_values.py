# Finds the element by its value and moves all equal ones together.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros_like(x)
    for value in x.unique():
        step = (x == value).to(x.dtype) * eps
        result[x == value] = (f(x + step) - f(x - step)) / (2 * eps)
    return result
