# Weights and biases are buffers: saved and moved, but not trained.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.depth = len(sizes) - 1
        for i, (n_in, n_out) in enumerate(pairwise(sizes)):
            layer = nn.Linear(n_in, n_out)
            self.register_buffer(f"weight{i}", layer.weight.detach())
            self.register_buffer(f"bias{i}", layer.bias.detach())

    def forward(self, x):
        for i in range(self.depth):
            x = F.linear(x, getattr(self, f"weight{i}"), getattr(self, f"bias{i}"))
            if i < self.depth - 1:
                x = F.relu(x)
        return x
