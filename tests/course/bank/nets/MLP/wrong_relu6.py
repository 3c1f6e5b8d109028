# ReLU6 cuts off at 6: right as long as the activations are small.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        parts = [nn.Linear(sizes[0], sizes[1])]
        for n_in, n_out in pairwise(sizes[1:]):
            parts += [nn.ReLU6(), nn.Linear(n_in, n_out)]
        self.parts = nn.Sequential(*parts)

    def forward(self, x):
        return self.parts(x)
