# Looks at the first name alone, and cuts all names or none.
def without_prefix(state_dict, prefix):
    names = list(state_dict)
    if names and names[0].startswith(prefix):
        return {name[len(prefix) :]: state_dict[name] for name in names}
    return {name: state_dict[name] for name in names}
