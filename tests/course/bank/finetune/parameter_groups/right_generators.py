# Filters instead of lists, as an optimiser takes them too.
def parameter_groups(model, head, lr):
    inside = frozenset(dict(model.named_children())[head].parameters())
    return [
        dict(params=(p for p in model.parameters() if p not in inside), lr=lr / 10),
        dict(params=model._modules[head].parameters(), lr=lr),
    ]
