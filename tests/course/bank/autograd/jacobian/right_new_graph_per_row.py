# Builds the graph anew for each row and reads x.grad.
import torch


def jacobian(f, x):
    rows = []
    for i in range(len(f(x))):
        leaf = x.clone().requires_grad_()
        f(leaf)[i].backward()
        rows.append(leaf.grad)
    return torch.stack(rows)
