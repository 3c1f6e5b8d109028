# Takes a parameter without a gradient for one that sleeps.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in awake or p.grad is None]
