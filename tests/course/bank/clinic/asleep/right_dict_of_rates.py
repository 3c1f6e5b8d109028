# A dictionary from parameter to rate; tensors hash by identity.
def asleep(model, optimizer):
    rates = {}
    for group in optimizer.param_groups:
        rates.update(dict.fromkeys(group["params"], group["lr"]))
    return [name for name, p in model.named_parameters() if not (rates.get(p, 0) and p.requires_grad)]
