# A loop with partition.
def unwrapped(state):
    found = {}
    for name, tensor in state.items():
        head, dot, tail = name.partition(".")
        if head != "module" or not dot:
            return dict(state)
        found[tail] = tensor
    return found
