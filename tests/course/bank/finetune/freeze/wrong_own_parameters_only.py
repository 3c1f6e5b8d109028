# Takes a child's own parameters, not those of the layers inside it.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for parameter in child.parameters(recurse=False):
                parameter.requires_grad_(False)
