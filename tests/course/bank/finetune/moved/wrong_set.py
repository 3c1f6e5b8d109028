# Returns a set of names, without any order.
import torch


def moved(before, model):
    return {name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])}
