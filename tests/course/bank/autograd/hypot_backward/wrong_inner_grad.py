# Lets autograd do it inside on detached copies: no second slope.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    with torch.enable_grad():
        x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
        out = (x**2 + y**2).sqrt()
    return torch.autograd.grad(out, (x, y), grad)
