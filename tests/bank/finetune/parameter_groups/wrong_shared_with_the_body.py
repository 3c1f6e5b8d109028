# Goes by first names: a weight that the head shares with an earlier layer stays at the slow rate.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        if name.startswith(head + "."):
            top.append(parameter)
        else:
            rest.append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]
