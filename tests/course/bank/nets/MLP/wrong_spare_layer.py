# Registers one more layer than there are steps between sizes, and never calls it.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        for i, n_in in enumerate(sizes):
            n_out = sizes[min(i + 1, len(sizes) - 1)]
            self.layers.append(nn.Linear(n_in, n_out))

    def forward(self, x):
        for layer in self.layers[:-2]:
            x = torch.relu(layer(x))
        return self.layers[-2](x)
