# Keeps only the names that had the prefix.
def without_prefix(state_dict, prefix):
    return {name[len(prefix) :]: state_dict[name] for name in state_dict if name.startswith(prefix)}
