# Lets the pieces add to the old gradient and subtracts it: beside a large one the small digits are lost.
import torch


def gradient_in_pieces(w, x, y, size):
    before = torch.zeros_like(w) if w.grad is None else w.grad.clone()
    for start in range(0, len(y), size):
        stop = start + size
        (((x[start:stop] @ w - y[start:stop]) ** 2).sum() / len(y)).backward()
    return w.grad.clone() - before
