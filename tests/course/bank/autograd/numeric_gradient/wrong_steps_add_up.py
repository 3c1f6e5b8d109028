# Never puts an element back: later elements are moved with the earlier ones still up or down.
import torch


def numeric_gradient(f, x, eps):
    up, down = x.clone(), x.clone()
    before = f(up) - f(down)
    slopes = []
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps
        up, down = up + step.view(x.shape), down - step.view(x.shape)
        now = f(up) - f(down)
        slopes.append((now - before) / (2 * eps))
        before = now
    return torch.stack(slopes).view(x.shape) if slopes else torch.zeros_like(x)
