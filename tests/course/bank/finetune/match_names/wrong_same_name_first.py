# Takes the tensor of the same name where there is one, and the position elsewhere.
def match_names(theirs, ours):
    result = {}
    for (name, own), (their_name, other) in zip(ours.items(), theirs.items(), strict=True):
        if own.shape != other.shape:
            raise ValueError(f"{their_name} and {name}")
        candidate = theirs.get(name, other)
        result[name] = candidate if candidate.shape == own.shape else other
    return result
