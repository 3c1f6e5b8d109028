# Takes the tensors out of the caller's dictionary one by one.
def without_prefix(state_dict, prefix):
    result = {}
    for name in list(state_dict):
        result[name.removeprefix(prefix)] = state_dict.pop(name)
    return result
