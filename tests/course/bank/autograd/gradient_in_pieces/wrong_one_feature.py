# Squeezes the pieces: with one feature a piece is no matrix any more.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for start in range(0, len(x), size):
        xs, ys = x[start : start + size].squeeze(), y[start : start + size].squeeze()
        total += torch.autograd.grad(((xs @ w - ys) ** 2).sum() / len(x), w)[0]
    return total
