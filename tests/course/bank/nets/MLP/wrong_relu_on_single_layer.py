# A net of one layer gets a ReLU after all.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.first = nn.Linear(sizes[0], sizes[1])
        self.rest = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes[1:])])

    def forward(self, x):
        x = F.relu(self.first(x))
        for i, layer in enumerate(self.rest):
            x = layer(x)
            if i < len(self.rest) - 1:
                x = F.relu(x)
        return x
