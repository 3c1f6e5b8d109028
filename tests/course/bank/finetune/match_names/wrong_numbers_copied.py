# Copies their numbers into our tensors.
def match_names(theirs, ours):
    if len(theirs) != len(ours) or [t.shape for t in theirs.values()] != [t.shape for t in ours.values()]:
        raise ValueError("the lists differ")
    return {name: own.copy_(other) for (name, own), other in zip(ours.items(), theirs.values())}
