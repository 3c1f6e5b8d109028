# Spares every module of that name, at whatever depth.
def freeze(model, head):
    for name, module in model.named_modules():
        if name and head not in name.split("."):
            module.training = False
            for parameter in module.parameters(recurse=False):
                parameter.requires_grad = False
