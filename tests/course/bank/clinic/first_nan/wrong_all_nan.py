# Asks whether all of the output is NaN.
def first_nan(model, inputs):
    found = []
    handles = [
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().all() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None
