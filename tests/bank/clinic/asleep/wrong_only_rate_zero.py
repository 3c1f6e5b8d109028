# Only the groups with rate 0: what no group holds is left out.
def asleep(model, optimizer):
    still = {id(p) for group in optimizer.param_groups if group["lr"] == 0 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) in still or not p.requires_grad]
