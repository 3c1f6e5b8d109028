# Adds up the pieces' losses and walks once: one graph with all rows.
import torch


def gradient_in_pieces(w, x, y, size):
    loss = 0
    for start in range(0, len(x), size):
        loss = loss + ((x[start : start + size] @ w - y[start : start + size]) ** 2).sum()
    return torch.autograd.grad(loss / len(x), w)[0]
