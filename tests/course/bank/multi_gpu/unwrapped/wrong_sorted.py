# The names come back in another order.
def unwrapped(state):
    cut = 7 if all(name.startswith("module.") for name in state) else 0
    return {name[cut:]: state[name] for name in sorted(state)}
