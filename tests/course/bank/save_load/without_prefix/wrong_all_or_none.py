# Takes the prefix off only where every name has it.
def without_prefix(state_dict, prefix):
    if all(name.startswith(prefix) for name in state_dict):
        return {name[len(prefix) :]: tensor for name, tensor in state_dict.items()}
    return dict(state_dict)
