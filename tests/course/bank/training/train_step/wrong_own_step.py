# Takes plain SGD's step by hand: right unless the optimiser has momentum, decay or is another.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    with torch.no_grad():
        for group in optimizer.param_groups:
            for p in group["params"]:
                p -= group["lr"] * p.grad
    return loss.item()
