# Leaves out frozen parameters of the head alone.
def parameter_groups(model, head, lr):
    layer = model.get_submodule(head)
    inside = set(layer.parameters())
    return [
        {"params": [p for p in model.parameters() if p not in inside], "lr": lr / 10},
        {"params": [p for p in layer.parameters() if p.requires_grad], "lr": lr},
    ]
