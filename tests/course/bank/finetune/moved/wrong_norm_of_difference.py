# Takes the norm of the difference, whose squares of tiny numbers are 0.
def moved(before, model):
    result = []
    for name, tensor in model.state_dict().items():
        if (tensor.float() - before[name].float()).norm() > 0:
            result.append(name)
    return result
