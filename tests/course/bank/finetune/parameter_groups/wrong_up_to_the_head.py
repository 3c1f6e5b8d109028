# Stops at the head: children after it are in no group.
def parameter_groups(model, head, lr):
    body = []
    for name, child in model.named_children():
        if name == head:
            return [{"params": body, "lr": lr / 10}, {"params": list(child.parameters()), "lr": lr}]
        body.extend(child.parameters())
    raise AttributeError(head)
