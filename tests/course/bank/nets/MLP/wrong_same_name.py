# Names each layer after its two sizes: a second layer of the same sizes takes the place of the first.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.order = []
        for n_in, n_out in pairwise(sizes):
            name = f"fc{n_in}to{n_out}"
            setattr(self, name, nn.Linear(n_in, n_out))
            self.order.append(name)

    def forward(self, x):
        for name in self.order[:-1]:
            x = torch.relu(getattr(self, name)(x))
        return getattr(self, self.order[-1])(x)
