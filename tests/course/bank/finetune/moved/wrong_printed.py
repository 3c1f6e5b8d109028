# Compares what would be printed: four digits.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if str(tensor) != str(before[name])]
