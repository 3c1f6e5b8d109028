# Takes their tensors out of their dictionary one by one.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("lengths")
    result = {}
    for name in ours:
        result[name] = theirs.pop(next(iter(theirs)))
        if result[name].shape != ours[name].shape:
            raise ValueError(name)
    return result
