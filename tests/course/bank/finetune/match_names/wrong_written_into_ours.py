# Writes into our dictionary and returns it.
def match_names(theirs, ours):
    for (name, own), other in zip(list(ours.items()), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise ValueError(name)
        ours[name] = other
    return ours
