# Leaves the picking and the mean to one of PyTorch's losses.
import torch
from torch import nn


def cross_entropy(logits, targets):
    shifted = logits - logits.amax(dim=1, keepdim=True)
    return nn.NLLLoss()(shifted - shifted.exp().sum(dim=1, keepdim=True).log(), targets)
