# Registers the output layer before the hidden ones; the numbers come out right.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.out = nn.Linear(sizes[-2], sizes[-1])
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes[:-1]))

    def forward(self, x):
        for layer in self.hidden:
            x = F.relu(layer(x))
        return self.out(x)
