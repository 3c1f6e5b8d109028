# The longest zip, where a missing partner shows as None.
from itertools import zip_longest


def match_names(theirs, ours):
    result = {}
    for name, other in zip_longest(ours, theirs.values()):
        if name is None or other is None or ours[name].shape != other.shape:
            raise ValueError("no partner, or one of another shape")
        result[name] = other
    return result
