# `found or None`: the model itself, named "", becomes None.
def first_nan(model, inputs):
    found = None
    handles = []

    def make(name):
        def hook(module, args, out):
            nonlocal found
            if not found and out.isnan().any():
                found = name

        return hook

    for name, module in model.named_modules():
        handles.append(module.register_forward_hook(make(name)))
    model(inputs)
    for handle in handles:
        handle.remove()
    return found or None
