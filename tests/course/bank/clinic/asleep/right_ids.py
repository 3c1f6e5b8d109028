# The ids of what moves, asked for each name.
def asleep(model, optimizer):
    awake = {
        id(p) for group in optimizer.param_groups if group["lr"] != 0 for p in group["params"] if p.requires_grad
    }
    return [name for name, p in model.named_parameters() if id(p) not in awake]
