# Sends the batch through the model twice: dropout draws anew, running averages move twice.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    with torch.no_grad():
        before = loss_fn(model(inputs), targets).item()
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
    return before
