# Sets the global seed at every call: dropout drops the same numbers in every step.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    torch.manual_seed(0)
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
