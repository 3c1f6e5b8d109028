# Where a shape differs it returns what it has so far.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape:
            return result
        result[name] = other
    return result
