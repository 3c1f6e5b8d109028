# Goes through the children: a parameter of the model itself is in no group.
def parameter_groups(model, head, lr):
    groups = [{"params": [], "lr": lr / 10}, {"params": [], "lr": lr}]
    for name, child in model.named_children():
        groups[name == head]["params"] += list(child.parameters())
    return groups
