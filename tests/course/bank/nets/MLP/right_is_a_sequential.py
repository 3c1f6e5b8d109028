# A subclass of Sequential that only fills itself.
import torch
from torch import nn


class MLP(nn.Sequential):
    def __init__(self, sizes):
        super().__init__()
        for i in range(len(sizes) - 1):
            if i:
                self.add_module(f"relu{i}", nn.ReLU(inplace=True))
            self.add_module(f"linear{i}", nn.Linear(sizes[i], sizes[i + 1]))
