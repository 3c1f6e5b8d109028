# A linear layer of one's own, made of two parameters and a matrix product.
from itertools import pairwise

import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        bound = n_in**-0.5
        self.weight = nn.Parameter(torch.empty(n_out, n_in).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(n_out).uniform_(-bound, bound))

    def forward(self, x):
        return x @ self.weight.T + self.bias


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([Dense(a, b) for a, b in pairwise(sizes)])

    def forward(self, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = layer(x).clamp_min(0)
        return last(x)
