# Marks output i by its value: equal outputs are walked back together.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    return torch.stack([torch.autograd.grad(y, x, (y == value).to(y), retain_graph=True)[0] for value in y])
