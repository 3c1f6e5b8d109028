# One tensor with both gradients instead of two.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return torch.stack((x, y)) * (grad / out)
