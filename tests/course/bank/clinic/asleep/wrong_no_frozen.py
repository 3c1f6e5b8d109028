# Forgets parameters with requires_grad False.
def asleep(model, optimizer):
    moved = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved]
