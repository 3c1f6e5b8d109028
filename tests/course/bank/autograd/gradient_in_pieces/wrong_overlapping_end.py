# Fills the last piece with rows that were already counted.
import torch


def gradient_in_pieces(w, x, y, size):
    size = min(size, len(x))
    total = torch.zeros_like(w)
    for start in range(0, len(x), size):
        start = min(start, len(x) - size)
        xs, ys = x[start : start + size], y[start : start + size]
        total += torch.autograd.grad(((xs @ w - ys) ** 2).sum(), w)[0]
    return total / len(x)
