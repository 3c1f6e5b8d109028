# Splits the name at the prefix and keeps what follows its last occurrence.
def without_prefix(state_dict, prefix):
    return {name.split(prefix)[-1]: state_dict[name] for name in state_dict}
