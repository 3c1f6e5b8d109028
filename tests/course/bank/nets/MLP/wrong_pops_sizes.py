# Eats the caller's list of sizes while it makes the layers.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        while len(sizes) > 1:
            self.layers.append(nn.Linear(sizes.pop(0), sizes[0]))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)
