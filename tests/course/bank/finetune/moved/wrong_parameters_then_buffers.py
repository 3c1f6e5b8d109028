# All parameters first, then all buffers: not the order of the state dict.
import itertools

import torch


def moved(before, model):
    entries = itertools.chain(model.named_parameters(), model.named_buffers())
    return [name for name, tensor in entries if not torch.equal(tensor, before[name])]
