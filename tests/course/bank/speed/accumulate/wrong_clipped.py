# Clips the gradient at the end, as a loop with accumulation often does.
from torch import nn


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
