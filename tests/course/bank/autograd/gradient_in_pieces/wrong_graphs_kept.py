# create_graph keeps every piece's graph, joined in the sum that is returned.
import torch


def gradient_in_pieces(w, x, y, size):
    total = 0
    for xs, ys in zip(x.split(size), y.split(size)):
        loss = ((xs @ w - ys) ** 2).sum() / len(x)
        total = total + torch.autograd.grad(loss, w, create_graph=True)[0]
    return total
