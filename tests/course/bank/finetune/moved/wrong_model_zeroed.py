# Subtracts in place: the names are right, and the model is lost.
def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if tensor.sub_(before[name]).ne(0).any():
            names.append(name)
    return names
