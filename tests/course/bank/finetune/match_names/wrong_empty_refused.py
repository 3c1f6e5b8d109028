# Raises for two empty dictionaries too.
def match_names(theirs, ours):
    if not theirs or len(theirs) != len(ours):
        raise ValueError("nothing to match")
    for other, own in zip(theirs.values(), ours.values()):
        if list(other.shape) != list(own.shape):
            raise ValueError("shapes")
    return dict(zip(ours.keys(), theirs.values()))
