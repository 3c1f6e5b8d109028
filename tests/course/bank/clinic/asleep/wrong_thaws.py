# Switches every gradient on, and then finds fewer that sleep.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    frozen = [name for name, p in model.named_parameters() if id(p) not in awake]
    model.requires_grad_(True)
    return frozen
