# Turns a matrix that lies the other way round instead of raising.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape and own.ndim == 2 and own.shape == other.T.shape:
            other = other.T
        if own.shape != other.shape:
            raise ValueError(name)
        result[name] = other
    return result
