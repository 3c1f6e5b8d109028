# Sets the slope of a side of 0 to a constant 0: its own slope 1 / out is lost.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    zero = torch.zeros_like(grad)
    return torch.where(x == 0, zero, grad * x / out), torch.where(y == 0, zero, grad * y / out)
