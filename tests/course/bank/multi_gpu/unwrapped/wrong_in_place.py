# Changes the dictionary that was handed in.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        for name in list(state):
            state[name[7:]] = state.pop(name)
    return dict(state)
