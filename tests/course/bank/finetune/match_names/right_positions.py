# Lists and positions.
def match_names(theirs, ours):
    names, tensors = list(ours), list(theirs.values())
    if len(names) != len(tensors):
        raise ValueError(f"{len(tensors)} of theirs, {len(names)} of ours")
    result = {}
    for i in range(len(names)):
        if tuple(tensors[i].size()) != tuple(ours[names[i]].size()):
            raise ValueError(f"entry {i}")
        result[names[i]] = tensors[i]
    return result
