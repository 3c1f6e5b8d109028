# Stacks the rows as columns: (inputs, outputs).
import torch


def jacobian(f, x):
    x = x.detach().requires_grad_()
    y = f(x)
    rows = [torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(len(y))]
    return torch.stack(rows, dim=1)
