# Averages the pieces' means: the rows of a short piece count more.
import torch


def gradient_in_pieces(w, x, y, size):
    grads = []
    for xs, ys in zip(x.split(size), y.split(size)):
        loss = ((xs @ w - ys) ** 2).mean()
        grads.append(torch.autograd.grad(loss, w)[0])
    return torch.stack(grads).mean(dim=0)
