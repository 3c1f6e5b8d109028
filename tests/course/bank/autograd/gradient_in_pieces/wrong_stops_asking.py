# Switches off that w asks, to use the formula, and does not switch it on again.
import torch


def gradient_in_pieces(w, x, y, size):
    w.requires_grad_(False)
    total = torch.zeros_like(w)
    for xs, ys in zip(x.split(size), y.split(size)):
        total += 2 * xs.T @ (xs @ w - ys)
    return total / len(x)
