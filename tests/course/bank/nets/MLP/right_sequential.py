# One Sequential of layers and ReLUs, the last ReLU taken off again.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        parts = []
        for n_in, n_out in zip(sizes[:-1], sizes[1:]):
            parts.extend((nn.Linear(n_in, n_out), nn.ReLU()))
        parts.pop()
        self.net = nn.Sequential(*parts)

    def forward(self, x):
        return self.net(x)
