# The vector-Jacobian product of the formula, by torch.func.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    _, back = torch.func.vjp(lambda a, b: (a * a + b * b).sqrt(), x, y)
    return back(grad)
