# Judges all names by the first one.
def unwrapped(state):
    first = next(iter(state), "")
    if first.startswith("module."):
        return {name[7:]: tensor for name, tensor in state.items()}
    return dict(state)
