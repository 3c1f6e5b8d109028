# Sends back the output itself instead of a 1.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    send = torch.diag(y.detach())
    return torch.stack([torch.autograd.grad(y, x, row, retain_graph=True)[0] for row in send])
