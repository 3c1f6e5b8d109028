# Does not use out, but computes the length again with torch.hypot.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    length = torch.hypot(x, y)
    return tuple(grad * side / length for side in (x, y))
