# Draws the weights and takes the largest: a little below the bound, and random.
import torch
from torch import nn


def kaiming_bound(shape):
    weight = nn.init.kaiming_uniform_(torch.empty(shape), nonlinearity="relu")
    return weight.abs().max().item()
