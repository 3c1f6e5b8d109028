# Turns off what BatchNorm and dropout do in training instead of the training mode.
from torch import nn


def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            continue
        for parameter in child.parameters():
            parameter.requires_grad = False
        for module in child.modules():
            if isinstance(module, nn.modules.batchnorm._BatchNorm):
                module.momentum = 0.0
            elif isinstance(module, nn.Dropout):
                module.p = 0.0
