# Checks the shapes of all pairs but the last.
def match_names(theirs, ours):
    their_tensors, names = list(theirs.values()), list(ours)
    if len(their_tensors) != len(names):
        raise ValueError("lengths")
    for i in range(len(names) - 1):
        if their_tensors[i].shape != ours[names[i]].shape:
            raise ValueError(names[i])
    return {names[i]: their_tensors[i] for i in range(len(names))}
