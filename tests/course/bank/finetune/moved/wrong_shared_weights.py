# Asks for parameters and buffers by name: a weight that two layers share is listed there once.
import torch


def moved(before, model):
    there = dict(model.named_parameters()) | dict(model.named_buffers())
    return [name for name in model.state_dict() if name in there and not torch.equal(there[name], before[name])]
