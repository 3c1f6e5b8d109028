# Asks the layers of the first level only; names deeper down are missing.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [
        f"{layer}.{name}"
        for layer, child in model.named_children()
        for name, p in child._parameters.items()
        if p is not None and (id(p) not in awake or not p.requires_grad)
    ]
