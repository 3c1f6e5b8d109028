# Compares nested lists of Python numbers.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if tensor.tolist() != before[name].tolist()]
