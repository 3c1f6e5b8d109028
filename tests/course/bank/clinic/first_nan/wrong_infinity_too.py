# Takes infinity for NaN.
def first_nan(model, inputs):
    found = []

    def hook(name):
        return lambda m, a, out: None if out.isfinite().all() else found.append(name)

    handles = [module.register_forward_hook(hook(name)) for name, module in model.named_modules()]
    model(inputs)
    [handle.remove() for handle in handles]
    return found[0] if found else None
