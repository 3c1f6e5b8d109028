# Has names for four layers only, and leaves further sizes out.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        names = ("first", "second", "third", "fourth")
        self.names = [name for name, _ in zip(names, sizes[1:])]
        for name, n_in, n_out in zip(names, sizes, sizes[1:]):
            self.add_module(name, nn.Linear(n_in, n_out))

    def forward(self, x):
        for name in self.names:
            x = self.get_submodule(name)(x)
            if name != self.names[-1]:
                x = torch.relu(x)
        return x
