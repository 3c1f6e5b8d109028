# Sums first, and divides the gradients at the end.
import torch


def accumulate(model, loss_fn, chunks):
    for parameter in model.parameters():
        parameter.grad = None
    seen = 0
    for inputs, targets in chunks:
        loss_fn(model(inputs), targets).mul(inputs.size(0)).backward()
        seen += inputs.size(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.div_(seen)
