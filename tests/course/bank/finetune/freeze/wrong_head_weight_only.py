# Freezes all and thaws the head's own parameters: those of layers inside it stay frozen.
def freeze(model, head):
    model.requires_grad_(False)
    for name, child in model.named_children():
        child.train(name == head)
    for parameter in getattr(model, head).parameters(recurse=False):
        parameter.requires_grad_(True)
