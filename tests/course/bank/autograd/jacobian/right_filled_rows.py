# A matrix made by new_empty, filled row by row from the last to the first.
import torch


def jacobian(f, x):
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = f(x)
    matrix = x.detach().new_empty((y.numel(), x.numel()))
    for i in reversed(range(y.numel())):
        matrix[i] = torch.autograd.grad(y[i], x, retain_graph=i > 0)[0]
    return matrix
