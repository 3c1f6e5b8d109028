# A layer, and behind it a smaller net of the same class.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.first = nn.Linear(sizes[0], sizes[1])
        self.rest = MLP(sizes[1:]) if len(sizes) > 2 else None

    def forward(self, x):
        x = self.first(x)
        return x if self.rest is None else self.rest(x.relu())
