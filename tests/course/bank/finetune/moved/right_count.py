# Counts the differing elements, and filters the names.
import torch


def moved(before, model):
    state = model.state_dict()

    def has_moved(name):
        return torch.count_nonzero(torch.ne(state[name], before[name])).item() > 0

    return list(filter(has_moved, state.keys()))
