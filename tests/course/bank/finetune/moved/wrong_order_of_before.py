# Goes through `before`, whose order need not be the model's.
import torch


def moved(before, model):
    state = model.state_dict()
    return [name for name, old in before.items() if not torch.equal(old, state[name])]
