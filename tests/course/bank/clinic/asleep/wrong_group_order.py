# The names in the order of the groups, not of the model.
def asleep(model, optimizer):
    names = {id(p): name for name, p in model.named_parameters()}
    found, seen = [], set()
    for group in optimizer.param_groups:
        for p in group["params"]:
            seen.add(id(p))
            if id(p) in names and (group["lr"] == 0 or not p.requires_grad):
                found.append(names[id(p)])
    return [name for key, name in names.items() if key not in seen] + found
