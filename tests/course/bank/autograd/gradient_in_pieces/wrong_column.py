# Makes y a column, so that every prediction meets every target.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for xs, ys in zip(x.split(size), y[:, None].split(size)):
        total += torch.autograd.grad(((xs @ w - ys) ** 2).mean() * len(xs) / len(x), w)[0]
    return total
