# Always cross-entropy, whatever loss was handed over.
import torch
import torch.nn.functional as F


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
