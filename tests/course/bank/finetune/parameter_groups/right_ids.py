# The ids of the head's parameters decide.
def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters())
    ids = {id(parameter) for parameter in top}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in ids]
    return [{"params": top, "lr": lr}, {"params": rest, "lr": lr / 10}]
