# Raises only where theirs are too few; entries too many are dropped.
def match_names(theirs, ours):
    others = iter(theirs.values())
    result = {}
    for name, own in ours.items():
        other = next(others, None)
        if other is None or other.shape != own.shape:
            raise ValueError(name)
        result[name] = other
    return result
