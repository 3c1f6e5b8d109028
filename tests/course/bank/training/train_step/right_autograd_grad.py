# Asks autograd for the gradients, and puts them in place itself.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer.zero_grad()
    for p, slope in zip(parameters, torch.autograd.grad(loss, parameters)):
        p.grad = slope
    optimizer.step()
    return loss.item()
