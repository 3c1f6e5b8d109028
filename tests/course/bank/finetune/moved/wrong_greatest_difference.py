# Asks whether the greatest difference is above 0: with a NaN in it no comparison is true.
def moved(before, model):
    result = []
    for name, tensor in model.state_dict().items():
        if tensor.numel() and (tensor.double() - before[name].double()).abs().max() > 0:
            result.append(name)
    return result
