# Computes under no_grad: cannot be differentiated again.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    with torch.no_grad():
        return grad * x / out, grad * y / out
