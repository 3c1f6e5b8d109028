# Runs the model twice; the second time its state has changed.
def first_nan(model, inputs):
    if not model(inputs).isnan().any():
        return None
    found = []
    handles = [
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().any() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None
