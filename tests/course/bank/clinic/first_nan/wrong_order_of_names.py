# The first in the order of named_modules, where a container comes before its content.
def first_nan(model, inputs):
    bad, handles = set(), []
    for name, module in model.named_modules():
        handles.append(
            module.register_forward_hook(lambda m, a, out, name=name: bad.add(name) if out.isnan().any() else None)
        )
    model(inputs)
    for handle in handles:
        handle.remove()
    return next((name for name, _ in model.named_modules() if name in bad), None)
