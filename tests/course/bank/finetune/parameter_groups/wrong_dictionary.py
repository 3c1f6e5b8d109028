# Returns a dictionary of two groups instead of a list.
def parameter_groups(model, head, lr):
    inside = set(getattr(model, head).parameters())
    return {
        "body": {"params": [p for p in model.parameters() if p not in inside], "lr": lr / 10},
        "head": {"params": list(inside), "lr": lr},
    }
