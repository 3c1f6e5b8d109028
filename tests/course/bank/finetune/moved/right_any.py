# A loop that asks whether any element differs.
def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if bool((tensor != before[name]).any()):
            names.append(name)
    return names
