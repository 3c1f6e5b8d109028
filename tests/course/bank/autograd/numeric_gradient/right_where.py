# Marks one element after the other with a mask and torch.where.
import torch


def numeric_gradient(f, x, eps):
    number = torch.arange(x.numel()).reshape(x.shape)
    result = torch.zeros_like(x)
    for i in range(x.numel()):
        here = number == i
        up, down = f(torch.where(here, x + eps, x)), f(torch.where(here, x - eps, x))
        result = torch.where(here, (up - down) / (2 * eps), result)
    return result
