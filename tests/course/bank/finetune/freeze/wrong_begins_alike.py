# Spares what begins with the head's name.
def freeze(model, head):
    for name, module in model.named_modules():
        if name and not name.startswith(head):
            module.training = False
            for parameter in module.parameters(recurse=False):
                parameter.requires_grad_(False)
