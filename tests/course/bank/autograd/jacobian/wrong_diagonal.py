# Thinks that output i depends on input i alone.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    result = torch.zeros(len(y), len(x), dtype=x.dtype)
    own = torch.autograd.grad(y.sum(), x)[0]
    for i in range(min(result.shape)):
        result[i, i] = own[i]
    return result
