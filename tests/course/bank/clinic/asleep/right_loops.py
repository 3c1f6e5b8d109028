# Plain loops and `is`.
def asleep(model, optimizer):
    names = []
    for name, parameter in model.named_parameters():
        moves = False
        for group in optimizer.param_groups:
            for other in group["params"]:
                if other is parameter and group["lr"] != 0 and parameter.requires_grad:
                    moves = True
        if not moves:
            names.append(name)
    return names
