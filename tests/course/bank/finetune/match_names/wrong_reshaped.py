# Reshapes theirs to our shape instead of raising.
def match_names(theirs, ours):
    matched = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        try:
            matched[name] = other if other.shape == own.shape else other.reshape(own.shape)
        except RuntimeError as error:
            raise ValueError(name) from error
    return matched
