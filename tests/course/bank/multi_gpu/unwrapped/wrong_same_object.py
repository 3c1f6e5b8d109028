# Returns the dictionary that came in where nothing is to be done.
def unwrapped(state):
    if not all(name.startswith("module.") for name in state):
        return state
    return {name[7:]: tensor for name, tensor in state.items()}
