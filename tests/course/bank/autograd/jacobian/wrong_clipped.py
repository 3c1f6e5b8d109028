# Clips the slopes to ±10, a habit from training.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    rows = []
    for v in torch.eye(y.numel(), dtype=y.dtype):
        (row,) = torch.autograd.grad(y, x, v, retain_graph=True)
        rows.append(row.clamp(-10, 10))
    return torch.stack(rows)
