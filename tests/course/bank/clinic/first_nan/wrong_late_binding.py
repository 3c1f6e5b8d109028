# Every hook names the last module: the loop variable is looked up late.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        handles.append(
            module.register_forward_hook(lambda m, a, out: found.append(name) if out.isnan().any() else None)
        )
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None
