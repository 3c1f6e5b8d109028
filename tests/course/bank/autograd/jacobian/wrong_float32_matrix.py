# Fills a matrix of torch.zeros, which is float32 also for float64.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    matrix = torch.zeros(y.shape[0], x.shape[0])
    for i in range(y.shape[0]):
        v = torch.zeros_like(y)
        v[i] = 1
        matrix[i] = torch.autograd.grad(y, x, v, retain_graph=True)[0]
    return matrix
