# Takes the first word off each name, whatever it is.
def without_prefix(state_dict, prefix):
    return {name.split(".", 1)[1]: tensor for name, tensor in state_dict.items()}
