# Every k-th row makes a piece, and the order of the pieces is reversed.
import torch


def gradient_in_pieces(w, x, y, size):
    k = -(-len(x) // size)
    grads = [torch.autograd.grad((x[i::k].matmul(w) - y[i::k]).pow(2).sum(), w)[0] for i in range(k - 1, -1, -1)]
    return torch.stack(grads).sum(0) / len(x)
