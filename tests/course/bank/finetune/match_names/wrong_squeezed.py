# Takes (1,) and () for the same shape.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.squeeze().shape != other.squeeze().shape:
            raise ValueError(f"{name}: {tuple(own.shape)} and {tuple(other.shape)}")
        result[name] = other
    return result
