# Where no name has the prefix it returns the dictionary that it was given, no new one.
def without_prefix(state_dict, prefix):
    if not any(name.startswith(prefix) for name in state_dict):
        return state_dict
    return {name.removeprefix(prefix): tensor for name, tensor in state_dict.items()}
