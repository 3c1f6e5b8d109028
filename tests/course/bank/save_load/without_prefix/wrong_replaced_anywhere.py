# Takes the first occurrence out, wherever in the name it stands.
def without_prefix(state_dict, prefix):
    return {name.replace(prefix, "", 1): tensor for name, tensor in state_dict.items()}
