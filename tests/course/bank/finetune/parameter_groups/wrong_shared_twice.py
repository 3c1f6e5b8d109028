# A weight that two children share comes twice: once under each of its names.
def parameter_groups(model, head, lr):
    named = list(model.named_parameters(remove_duplicate=False))
    return [
        {"params": [p for name, p in named if name.split(".")[0] != head], "lr": lr / 10},
        {"params": [p for name, p in named if name.split(".")[0] == head], "lr": lr},
    ]
