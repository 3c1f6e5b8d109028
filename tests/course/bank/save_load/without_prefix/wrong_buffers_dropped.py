# Leaves out the entries that are not of a floating dtype.
def without_prefix(state_dict, prefix):
    return {name.removeprefix(prefix): tensor for name, tensor in state_dict.items() if tensor.is_floating_point()}
