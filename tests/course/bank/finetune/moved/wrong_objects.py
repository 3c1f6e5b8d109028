# Asks whether it is the same tensor object: a copy never is.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if before[name] is not tensor]
