# replace() takes the word out of the middle too.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        return {name.replace("module.", ""): tensor for name, tensor in state.items()}
    return dict(state)
