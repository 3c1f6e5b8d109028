# Pairs the entries by position, not by name.
import torch


def moved(before, model):
    pairs = zip(model.state_dict().items(), before.values(), strict=True)
    return [name for (name, new), old in pairs if new.shape != old.shape or not torch.equal(new, old)]
