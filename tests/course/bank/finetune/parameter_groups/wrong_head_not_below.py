# Takes the head's own parameters without those of the layers inside it.
def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters(recurse=False))
    seen = {id(p) for p in top}
    return [
        {"params": [p for p in model.parameters() if id(p) not in seen], "lr": lr / 10},
        {"params": top, "lr": lr},
    ]
