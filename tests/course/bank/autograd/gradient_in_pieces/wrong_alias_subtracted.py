# Subtracts the old gradient, but kept no copy of it: it subtracts the new one from itself.
import torch


def gradient_in_pieces(w, x, y, size):
    before = w.grad if w.grad is not None else torch.zeros_like(w)
    for xs, ys in zip(torch.split(x, size), torch.split(y, size)):
        ((xs @ w - ys).square().sum() / y.numel()).backward()
    return w.grad - before
