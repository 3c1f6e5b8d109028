# Predicts all rows once, outside the loop, and keeps that graph for each piece.
import torch


def gradient_in_pieces(w, x, y, size):
    errors = x @ w - y
    total = torch.zeros_like(w)
    for piece in errors.split(size):
        (g,) = torch.autograd.grad((piece**2).sum() / len(x), w, retain_graph=True)
        total += g
    return total
