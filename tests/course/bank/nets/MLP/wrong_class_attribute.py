# The list of layers belongs to the class: every further net lengthens it, and no net registers it.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    layers = nn.ModuleList()

    def __init__(self, sizes):
        super().__init__()
        for n_in, n_out in pairwise(sizes):
            self.layers.append(nn.Linear(n_in, n_out))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)
