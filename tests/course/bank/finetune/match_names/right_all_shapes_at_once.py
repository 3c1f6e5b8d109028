# Compares the two lists of shapes in one go, which holds the length too.
from collections import OrderedDict


def match_names(theirs, ours):
    def shapes(state):
        return [tuple(tensor.shape) for tensor in state.values()]

    if shapes(theirs) != shapes(ours):
        raise ValueError("The lists do not fit.")
    return OrderedDict((name, tensor) for name, tensor in zip(ours, theirs.values()))
