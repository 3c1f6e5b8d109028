# Sorts both lists of names and pairs those.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("lengths")
    result = {}
    for name, their_name in zip(sorted(ours), sorted(theirs)):
        if ours[name].shape != theirs[their_name].shape:
            raise ValueError(name)
        result[name] = theirs[their_name]
    return result
