# Sorts the names.
import torch


def moved(before, model):
    state = model.state_dict()
    return sorted(name for name in before if not torch.equal(before[name], state[name]))
