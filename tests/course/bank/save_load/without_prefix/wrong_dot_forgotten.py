# Looks for the prefix without its dot, so that a longer first word is cut as well.
def without_prefix(state_dict, prefix):
    result = {}
    for name, tensor in state_dict.items():
        result[name[len(prefix) :] if name.startswith(prefix.rstrip(".")) else name] = tensor
    return result
