# all() and a slice.
def unwrapped(state):
    wrapped = all(name.startswith("module.") for name in state)
    return {(name[len("module.") :] if wrapped else name): tensor for name, tensor in state.items()}
