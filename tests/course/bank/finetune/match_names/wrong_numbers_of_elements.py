# Compares how many elements there are, not the shapes.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("different numbers of entries")
    matched = {}
    for (name, own), other in zip(ours.items(), theirs.values()):
        if own.numel() != other.numel():
            raise ValueError(name)
        matched[name] = other
    return matched
