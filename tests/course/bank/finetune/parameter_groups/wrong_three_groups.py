# Puts the one-dimensional parameters of the body into a third group.
def parameter_groups(model, head, lr):
    top, flat, rest = [], [], []
    for name, parameter in model.named_parameters():
        if name.startswith(head + "."):
            top.append(parameter)
        else:
            (flat if parameter.ndim < 2 else rest).append(parameter)
    return [
        {"params": rest, "lr": lr / 10},
        {"params": flat, "lr": lr / 10, "weight_decay": 0.0},
        {"params": top, "lr": lr},
    ]
