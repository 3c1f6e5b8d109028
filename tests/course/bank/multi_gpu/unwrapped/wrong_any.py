# One name with the prefix is enough to cut all.
def unwrapped(state):
    if any(name.startswith("module.") for name in state):
        return {name.removeprefix("module."): tensor for name, tensor in state.items()}
    return dict(state)
