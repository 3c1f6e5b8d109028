# Both sides in one stacked tensor, taken apart at the end.
import torch


def hypot_backward(ctx, grad):
    *sides, out = ctx.saved_tensors
    return torch.unbind(torch.einsum("k...,...,...->k...", torch.stack(sides), grad, out.reciprocal()))
