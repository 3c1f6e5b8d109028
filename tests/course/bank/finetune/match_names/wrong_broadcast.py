# Accepts what broadcasts to our shape.
import torch


def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        try:
            fits = torch.broadcast_shapes(own.shape, other.shape) == own.shape
        except RuntimeError:
            fits = False
        if not fits:
            raise ValueError(name)
        result[name] = other
    return result
