# Names an entry only where all of its elements differ.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if (tensor != before[name]).all()]
