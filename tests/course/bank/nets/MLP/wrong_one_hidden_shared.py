# Makes hidden layers of the same width once and calls that one layer repeatedly.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        made = {}
        self.layers = nn.ModuleList()
        for pair in pairwise(sizes):
            if pair not in made:
                made[pair] = nn.Linear(*pair)
            self.layers.append(made[pair])

    def forward(self, x):
        last = len(self.layers) - 1
        for i, layer in enumerate(self.layers):
            x = layer(x) if i == last else torch.relu(layer(x))
        return x
