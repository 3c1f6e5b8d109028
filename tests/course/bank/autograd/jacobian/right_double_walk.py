# Columns by walking back through the walk back, transposed by stacking them side by side.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    v = torch.zeros_like(y, requires_grad=True)
    (back,) = torch.autograd.grad(y, x, v, create_graph=True)
    columns = [
        torch.autograd.grad(back[j], v, retain_graph=True, allow_unused=True, materialize_grads=True)[0]
        for j in range(len(x))
    ]
    return torch.stack(columns, dim=-1)
