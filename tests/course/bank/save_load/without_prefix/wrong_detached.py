# Detaches each tensor: another object on the same numbers, and a parameter is one no more.
def without_prefix(state_dict, prefix):
    return {
        (name[len(prefix) :] if name.startswith(prefix) else name): state_dict[name].detach() for name in state_dict
    }
