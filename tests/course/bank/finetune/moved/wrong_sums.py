# Compares the sums: what one element gains and another loses goes unseen.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if tensor.sum() != before[name].sum()]
