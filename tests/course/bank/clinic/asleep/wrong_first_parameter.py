# Judges each group by its first parameter.
def asleep(model, optimizer):
    awake = {id(group["params"][0]) for group in optimizer.param_groups if group["lr"] and group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in awake or not p.requires_grad]
