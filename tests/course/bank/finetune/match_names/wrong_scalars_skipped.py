# Leaves out the counters, which have no dimensions.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise ValueError(name)
        if own.ndim > 0:
            result[name] = other
    return result
