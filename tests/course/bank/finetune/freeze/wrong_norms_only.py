# Only BatchNorm layers go to evaluation mode: dropout goes on.
from torch import nn


def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            continue
        child.requires_grad_(False)
        for module in child.modules():
            if isinstance(module, nn.modules.batchnorm._BatchNorm):
                module.eval()
