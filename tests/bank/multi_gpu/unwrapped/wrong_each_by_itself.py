# Takes the prefix off each name that has it, though others have none.
def unwrapped(state):
    return {name.removeprefix("module."): tensor for name, tensor in state.items()}
