# Compares beginnings without the dot: `fc_norm` begins with `fc`.
def parameter_groups(model, head, lr):
    named = list(model.named_parameters())
    return [
        {"params": [p for name, p in named if not name.startswith(head)], "lr": lr / 10},
        {"params": [p for name, p in named if name.startswith(head)], "lr": lr},
    ]
