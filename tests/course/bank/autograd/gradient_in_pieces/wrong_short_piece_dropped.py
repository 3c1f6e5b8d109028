# Takes only as many pieces as fit: the short one is lost, and a size beyond the batch gives zeros.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for i in range(len(x) // size):
        xs, ys = x[i * size : (i + 1) * size], y[i * size : (i + 1) * size]
        (g,) = torch.autograd.grad(((xs @ w - ys) ** 2).sum(), w)
        total = total + g
    return total / len(x)
