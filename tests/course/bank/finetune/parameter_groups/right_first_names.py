# Goes by the first part of the names, with the dot after it.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        if name.startswith(head + "."):
            top.append(parameter)
        else:
            rest.append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]
