# Looks at the first element of each entry alone.
def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if tensor.flatten()[:1].tolist() != before[name].flatten()[:1].tolist():
            names.append(name)
    return names
