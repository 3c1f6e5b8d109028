# Takes the last child for the head.
def parameter_groups(model, head, lr):
    *others, last = model.children()
    inside = {id(p) for p in last.parameters()}
    body = [p for p in model.parameters() if id(p) not in inside]
    return [{"params": body, "lr": lr / 10}, {"params": list(last.parameters()), "lr": lr}]
