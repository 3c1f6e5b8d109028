# Goes on as long as every name has the prefix.
def unwrapped(state):
    while state and all(name.startswith("module.") for name in state):
        state = {name[7:]: tensor for name, tensor in state.items()}
    return dict(state)
