# Leaves the head's rate to the optimiser's default.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        if name.startswith(f"{head}."):
            top.append(parameter)
        else:
            rest.append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top}]
