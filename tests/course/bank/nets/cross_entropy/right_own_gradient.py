# A function of autograd's with its gradient written down: softmax minus one-hot.
import numpy as np
import torch


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, targets):
        shifted = logits.detach().numpy() - logits.detach().numpy().max(axis=1, keepdims=True)
        powers = np.exp(shifted)
        sums = powers.sum(axis=1)
        rows = np.arange(len(targets))
        losses = np.log(sums) - shifted[rows, targets.numpy()]
        slope = powers / sums[:, None]
        slope[rows, targets.numpy()] -= 1
        ctx.save_for_backward(torch.from_numpy(slope / len(targets)))
        return torch.tensor(losses.mean(), dtype=logits.dtype)

    @staticmethod
    def backward(ctx, grad):
        (slope,) = ctx.saved_tensors
        return grad * slope.to(grad.dtype), None


def cross_entropy(logits, targets):
    return Loss.apply(logits, targets)
