# Compares the shapes as a heap: the same shapes in another order pass.
from collections import Counter


def match_names(theirs, ours):
    if Counter(t.shape for t in theirs.values()) != Counter(t.shape for t in ours.values()):
        raise ValueError("the shapes differ")
    return dict(zip(ours, theirs.values()))
