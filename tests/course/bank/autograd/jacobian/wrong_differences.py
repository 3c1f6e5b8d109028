# Finite differences instead of walks back.
import torch


def jacobian(f, x):
    h = 1e-5
    columns = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in torch.eye(len(x), dtype=x.dtype)]
    return torch.stack(columns, dim=1)
