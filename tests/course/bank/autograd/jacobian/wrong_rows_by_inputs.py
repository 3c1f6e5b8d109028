# Loops over the number of inputs instead of the number of outputs.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(x)):
        v = torch.zeros_like(y)
        v[i] = 1
        rows.append(torch.autograd.grad(y, x, v, retain_graph=True)[0])
    return torch.stack(rows)
