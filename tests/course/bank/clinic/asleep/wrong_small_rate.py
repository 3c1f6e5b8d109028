# Takes a small rate for none.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] > 1e-3 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in awake or not p.requires_grad]
