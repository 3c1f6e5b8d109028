# Sets the global seed on the way.
import torch


def accumulate(model, loss_fn, chunks):
    torch.manual_seed(0)
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
