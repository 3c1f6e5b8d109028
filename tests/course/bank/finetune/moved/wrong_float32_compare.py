# Compares in float32: a large counter and the last digits of float64 are rounded away.
import torch


def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if not torch.equal(tensor.float(), before[name].float()):
            names.append(name)
    return names
