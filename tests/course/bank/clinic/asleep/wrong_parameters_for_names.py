# Returns the parameters themselves.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [p for p in model.parameters() if id(p) not in awake or not p.requires_grad]
