# Measures the loss once more, after the step.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
    with torch.no_grad():
        return loss_fn(model(inputs), targets).item()
