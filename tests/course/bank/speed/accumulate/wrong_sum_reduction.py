# Sums by the reduction of cross entropy instead of asking the loss that was given.
import torch
import torch.nn.functional as F


def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    count = 0
    for inputs, targets in chunks:
        outputs = model(inputs)
        if targets.dtype == torch.long:
            F.cross_entropy(outputs, targets, reduction="sum").backward()
        else:
            F.mse_loss(outputs, targets, reduction="sum").backward()
        count += len(targets)
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.div_(count)
