# Gives each of ours the first unused tensor of its shape, at whatever position.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("lengths")
    unused, result = list(theirs.values()), {}
    for name, own in ours.items():
        for number, other in enumerate(unused):
            if other.shape == own.shape:
                result[name] = unused.pop(number)
                break
        else:
            raise ValueError(name)
    return result
