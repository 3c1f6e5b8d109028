# Adds dropout after every ReLU: right in eval mode only.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = self.drop(F.relu(layer(x)))
        return last(x)
