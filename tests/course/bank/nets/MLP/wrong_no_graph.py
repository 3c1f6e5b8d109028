# The forward pass runs under no_grad, so the net can never be trained.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])

    @torch.no_grad()
    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).clamp(min=0)
        return self.layers[-1](x)
