# Casts theirs to our dtype.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.size() != other.size():
            raise ValueError(name)
        result[name] = other.to(own.dtype)
    return result
