# A pre-hook: names the module that gets the NaN, not the one that gives it.
def first_nan(model, inputs):
    found = []
    handles = [
        module.register_forward_pre_hook(lambda m, args, n=name: found.append(n) if args[0].isnan().any() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None
