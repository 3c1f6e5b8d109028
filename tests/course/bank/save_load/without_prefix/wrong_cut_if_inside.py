# Cuts the front off every name that holds the prefix anywhere.
def without_prefix(state_dict, prefix):
    result = {}
    for name, tensor in state_dict.items():
        if prefix in name:
            name = name[len(prefix) :]
        result[name] = tensor
    return result
