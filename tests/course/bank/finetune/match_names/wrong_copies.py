# Returns copies of their tensors.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise ValueError(name)
        result[name] = other.clone()
    return result
