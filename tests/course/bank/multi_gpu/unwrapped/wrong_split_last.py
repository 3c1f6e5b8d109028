# Keeps only what stands after the last dot but one.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        return {".".join(name.split(".")[-2:]): tensor for name, tensor in state.items()}
    return dict(state)
