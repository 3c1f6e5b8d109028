# log_softmax as a module.
import torch
from torch import nn


def cross_entropy(logits, targets):
    picked = [row[target] for row, target in zip(nn.LogSoftmax(dim=1)(logits), targets)]
    return -torch.stack(picked).mean()
