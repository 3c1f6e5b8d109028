# Two strict zips: one to check, one to build.
def match_names(theirs, ours):
    if any(own.shape != other.shape for own, other in zip(ours.values(), theirs.values(), strict=True)):
        raise ValueError("The shapes of a pair differ.")
    return dict(zip(ours.keys(), theirs.values(), strict=True))
