# The pieces' means weighted with their share of the rows.
import torch


def gradient_in_pieces(w, x, y, size):
    return sum(
        torch.autograd.grad(torch.nn.functional.mse_loss(xs @ w, ys), w)[0] * (len(xs) / len(x))
        for xs, ys in zip(x.split(size), y.split(size), strict=True)
    )
