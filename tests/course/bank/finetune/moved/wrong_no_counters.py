# Looks at floating-point entries only: BatchNorm's counter is an integer.
import torch


def moved(before, model):
    state = model.state_dict()
    floats = [name for name in state if torch.is_floating_point(state[name])]
    return [name for name in floats if not torch.equal(state[name], before[name])]
