# Divides the rate twice: a hundredth for the body.
def parameter_groups(model, head, lr):
    slow = lr / 10
    inside = set(model._modules[head].parameters())
    others = [p for p in model.parameters() if p not in inside]
    return [{"params": others, "lr": slow / 10}, {"params": list(inside), "lr": lr}]
