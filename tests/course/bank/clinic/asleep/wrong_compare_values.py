# Compares tensors by value: two parameters of equal numbers are taken for one.
import torch


def asleep(model, optimizer):
    awake = [p for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]]
    names = []
    for name, p in model.named_parameters():
        known = any(p.shape == other.shape and torch.equal(p, other) for other in awake)
        if not known or not p.requires_grad:
            names.append(name)
    return names
