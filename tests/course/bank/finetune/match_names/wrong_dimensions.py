# Compares the numbers of dimensions only.
def match_names(theirs, ours):
    pairs = list(zip(ours.items(), theirs.values(), strict=True))
    if any(own.ndim != other.ndim for (_, own), other in pairs):
        raise ValueError("shapes differ")
    return {name: other for (name, _), other in pairs}
