# Walks down each child by itself.
def freeze(model, head):
    def quiet(module):
        module.training = False
        for parameter in module.parameters(recurse=False):
            parameter.requires_grad_(False)
        for inner in module.children():
            quiet(inner)

    for name in model._modules.keys() - {head}:
        quiet(getattr(model, name))
