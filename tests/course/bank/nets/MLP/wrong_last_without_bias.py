# The last layer has no bias.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        last = len(sizes) - 2
        self.layers = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1], bias=i < last) for i in range(len(sizes) - 1))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).relu()
        return self.layers[-1](x)
