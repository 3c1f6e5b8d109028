# Takes a step with the gradients.
import torch


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
