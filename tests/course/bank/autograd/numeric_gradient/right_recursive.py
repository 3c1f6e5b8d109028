# Recursion over the first axis down to single numbers.
import torch


def numeric_gradient(f, x, eps):
    if x.dim() == 0:
        return ((f(x + eps) - f(x - eps)) / (2 * eps)).to(x.dtype)

    def with_part(i, part):
        changed = x.clone()
        changed[i] = part
        return f(changed)

    parts = [numeric_gradient(lambda part, i=i: with_part(i, part), x[i], eps) for i in range(x.shape[0])]
    return torch.stack(parts) if parts else torch.zeros_like(x)
