# Knows the last layer by its number of outputs, so equal sizes lose their ReLU.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for n_in, n_out in pairwise(sizes):
            layers.append(nn.Linear(n_in, n_out))
            if n_out != sizes[-1]:
                layers.append(nn.ReLU())
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)
