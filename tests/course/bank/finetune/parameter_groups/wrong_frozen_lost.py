# Leaves out what needs no gradient.
def parameter_groups(model, head, lr):
    groups = {True: [], False: []}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            groups[name.partition(".")[0] == head].append(parameter)
    return [{"params": groups[False], "lr": lr / 10}, {"params": groups[True], "lr": lr}]
