# Compares every parameter with every one of the head by `is`.
def parameter_groups(model, head, lr):
    layer = model.get_submodule(head)
    groups = [{"params": [], "lr": lr / 10}, {"params": [], "lr": lr}]
    for parameter in model.parameters():
        groups[any(parameter is other for other in layer.parameters())]["params"].append(parameter)
    return groups
