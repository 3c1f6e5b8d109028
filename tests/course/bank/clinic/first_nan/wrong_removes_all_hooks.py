# Leaves no hook behind, not even those that were there before.
def first_nan(model, inputs):
    found = []
    for name, module in model.named_modules():
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().any() else None)
    model(inputs)
    for module in model.modules():
        module._forward_hooks.clear()
    return found[0] if found else None
